import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import {
  describeCluster,
  describeLackingBots,
  describeReach,
  describeSearch,
  howToSandbox,
} from '../../../infra/local/welcome.ts';
import { readConfig } from '../../../lib/config.ts';
import { openSecrets } from '../../../lib/wiring/secrets.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const OPEN = { AUTH_MODE: 'disabled', COMMAND_NETWORK: 'host' };
const LOOK_ONLY =
  'read-only: commands can reach this service, and without authentication they could approve changes';

it.each<[string, NodeJS.ProcessEnv, boolean, string[]]>([
  ['without one', OPEN, false, []],
  [
    'with a missing file',
    { ...OPEN, KUBECONFIG_PATH: '/k' },
    false,
    ["cluster     KUBECONFIG_PATH=/k is not used. KUBECONFIG_PATH names a file that can't be read."],
  ],
  ['with the secret store', OPEN, true, [`cluster     from the secret KUBECONFIG, ${LOOK_ONLY}`]],
  ['with sign-in', { ...OPEN, AUTH_MODE: 'token' }, true, ['cluster     from the secret KUBECONFIG']],
])('welcome message reports the state of the cluster: %s', async (_, env, stored, lines) => {
  const config = readConfig({ ...env, DATA_DIR: join(await tempFolder(), 'data') });
  if (stored) await (await openSecrets(config)).set('KUBECONFIG', 'apiVersion: v1');
  expect(await describeCluster(config)).toEqual(lines);
});

it('welcome message lists the missing settings of an enabled bot', async () => {
  const config = readConfig({ IMA_BOT_ENABLED: 'true', DATA_DIR: join(await tempFolder(), 'data') });
  expect(await describeLackingBots(config)).toEqual([
    "IMA_BOT_ENABLED is true, but the bot can't answer. Set IMA_APP_ID, IMA_APP_SECRET, IMA_VERIFICATION_TOKEN.",
  ]);
});

const SERVER = { PROVIDER_A_BASE_URL: 'http://127.0.0.1:11434/v1', LLM_MODEL: 'llama3.2' };

it.each<[string, NodeJS.ProcessEnv, string]>([
  ['with a key', { PROVIDER_A_API_KEY: 'sk-1' }, 'semantic and keyword search'],
  [
    'with a server that only chats',
    SERVER,
    'keyword search. For semantic search, set EMBEDDING_MODEL, or run npm run embedder -- install.',
  ],
  [
    'with a model of that server',
    { ...SERVER, EMBEDDING_MODEL: 'nomic-embed-text' },
    'semantic and keyword search',
  ],
  [
    'disabled',
    { PROVIDER_A_API_KEY: 'sk-1', EMBEDDING_MODEL: 'none' },
    'keyword search. EMBEDDING_MODEL=none turns semantic search off.',
  ],
])('welcome message names the available search mode: %s', (_, env, said) => {
  expect(describeSearch(readConfig(env))).toBe(said);
});

const PUBLIC_URL = 'https://research.example.org';
const PROXIED = `, and at ${PUBLIC_URL} if a proxy or forwarded port leads there`;

it.each<[string, NodeJS.ProcessEnv, string]>([
  ['without sign-in', {}, 'from this host only'],
  [
    'with tokens and no PUBLIC_URL',
    { AUTH_MODE: 'token' },
    'from this host only. Behind a proxy, set PUBLIC_URL to its URL: uploads over 4 MB, links, and MCP clients use it.',
  ],
  [
    'behind an unknown proxy',
    { PUBLIC_URL, HOST: '0.0.0.0' },
    `from the network, without TLS${PROXIED}. Set TRUSTED_PROXIES to the proxy's address, so that the logs contain clients' addresses.`,
  ],
  ['behind a trusted proxy', { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' }, `from this host only${PROXIED}`],
])('welcome message says from where the service can be reached: %s', (_, env, said) => {
  expect(describeReach(readConfig(env))).toBe(said);
});

it('welcome message names the options of a container that commands need', () => {
  expect(howToSandbox(false)).toBe('Install bubblewrap, or set ALLOW_UNSANDBOXED_COMMANDS=true.');
  expect(howToSandbox(true)).toBe(
    'This is a container. Install bubblewrap in its image, and start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined, or set ALLOW_UNSANDBOXED_COMMANDS=true.',
  );
});
