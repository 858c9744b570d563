import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeCluster } from '../../../infra/local/welcome.ts';
import { openSecrets } from '../../../lib/choose/secrets.ts';
import { readConfig } from '../../../lib/config.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const OPEN = { AUTH_MODE: 'disabled', COMMAND_NETWORK: 'host' };
const LOOK_ONLY =
  'to look at only: commands reach this service, and without logins they could approve changes';

it.each<[string, NodeJS.ProcessEnv, boolean, string[]]>([
  ['without one', OPEN, false, []],
  ['of a file', { ...OPEN, KUBECONFIG_PATH: '/k' }, false, [`cluster     of /k, ${LOOK_ONLY}`]],
  ['of the secret store', OPEN, true, [`cluster     of the secret KUBECONFIG, ${LOOK_ONLY}`]],
  ['with logins', { ...OPEN, AUTH_MODE: 'token' }, true, ['cluster     of the secret KUBECONFIG']],
])('the welcome says what holds for the cluster: %s', async (_, env, stored, lines) => {
  const config = readConfig({ ...env, DATA_DIR: join(await tempFolder(), 'data') });
  if (stored) await (await openSecrets(config)).set('KUBECONFIG', 'apiVersion: v1');
  expect(await describeCluster(config)).toEqual(lines);
});
