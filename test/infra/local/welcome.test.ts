import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeCluster, describeLackingBots } from '../../../infra/local/welcome.ts';
import { readConfig } from '../../../lib/config.ts';
import { openSecrets } from '../../../lib/wiring/secrets.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const OPEN = { AUTH_MODE: 'disabled', COMMAND_NETWORK: 'host' };
const LOOK_ONLY =
  'read-only: commands can reach this service, and without authentication they could approve changes';

it.each<[string, NodeJS.ProcessEnv, boolean, string[]]>([
  ['without one', OPEN, false, []],
  [
    'of a file that is not there',
    { ...OPEN, KUBECONFIG_PATH: '/k' },
    false,
    ["cluster     KUBECONFIG_PATH=/k is not used. KUBECONFIG_PATH names a file that can't be read."],
  ],
  ['of the secret store', OPEN, true, [`cluster     from the secret KUBECONFIG, ${LOOK_ONLY}`]],
  ['with logins', { ...OPEN, AUTH_MODE: 'token' }, true, ['cluster     from the secret KUBECONFIG']],
])('the welcome says what holds for the cluster: %s', async (_, env, stored, lines) => {
  const config = readConfig({ ...env, DATA_DIR: join(await tempFolder(), 'data') });
  if (stored) await (await openSecrets(config)).set('KUBECONFIG', 'apiVersion: v1');
  expect(await describeCluster(config)).toEqual(lines);
});

it('the welcome names what a bot that is on lacks', async () => {
  const config = readConfig({ IMA_BOT_ENABLED: 'true', DATA_DIR: join(await tempFolder(), 'data') });
  expect(await describeLackingBots(config)).toEqual([
    "IMA_BOT_ENABLED is true, but the bot can't answer. Set IMA_APP_ID, IMA_APP_SECRET, IMA_VERIFICATION_TOKEN.",
  ]);
});
