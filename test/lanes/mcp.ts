import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installOnce } from '../../infra/install-once.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { createToken } from '../../lib/tokens/tokens.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { type Service, startService } from '../support/service.ts';
import { syncWorkspace } from '../support/sync.ts';
import { ADMIN } from '../support/tasks.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { startEverything } from './mcp-everything.ts';
import { installPython, runCommand } from './servers/install.ts';

/**
 * The Model Context Protocol by others' code: the protocol's own conformance suite (npm) against the running service, and
 * against its adapter for what the service offers under other names, and the suite's servers for its client; and the Python
 * SDK (PyPI) against the service.
 */
const SUITE = '0.1.16';
const PYTHON_SDK = '2.3.0';

/**
 * Scenarios of the service as it is. It does not offer what the others want (sampling, sessions, pictures,
 * subscriptions).
 */
const ON_SERVICE = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];
const ON_ADAPTER = [
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
];
/**
 * Scenarios of the client, as the service uses it. The rest is about what it does not take up: elicitation, logins of
 * OAuth.
 */
const ON_CLIENT = ['initialize', 'tools_call', 'sse-retry'];

const CLIENT = `"${process.execPath}" "${join(import.meta.dirname, 'mcp-remote.ts')}"`;

const provider = await startFakeOpenai();
provider.answer = (request) => {
  const number = /number="(\d+)" file="bridges.md"/.exec(String(request.messages.at(-1)?.content))?.[1];
  return `It is 2467 metres long [${number}].`;
};
const suite = await installOnce('mcp-conformance', SUITE, async (folder) => {
  await runCommand('npm', ['install', '--prefix', folder, `@modelcontextprotocol/conformance@${SUITE}`]);
});
const python = await installOnce('mcp-python', PYTHON_SDK, (folder) =>
  installPython(folder, '3.12', [`mcp==${PYTHON_SDK}`]),
);
const everything = await startEverything();
try {
  const open = await startService({ PROVIDER_A_BASE_URL: provider.url });
  await fill(open);
  for (const scenario of ON_SERVICE) await conform(scenario, ['server', '--url', `${open.url}/api/mcp`]);
  for (const scenario of ON_ADAPTER) await conform(scenario, ['server', '--url', everything.url]);
  for (const scenario of ON_CLIENT) await conform(scenario, ['client', '--command', CLIENT]);
  await open.stop();
  await callFromPython();
} finally {
  everything.stop();
  await provider.stop();
  await cleanUp();
}

async function fill(service: Pick<Service, 'call'>): Promise<string> {
  const { id, root } = await makeWorkspace(service, 'library');
  await writeFile(
    join(root, 'bridges.md'),
    '# Bridges\n\nThe Firth bridge was opened in 1890. It is 2467 metres long.\n',
  );
  await syncWorkspace(service, id);
  return id;
}

/** Fails with what the suite says. */
async function conform(scenario: string, side: string[]): Promise<void> {
  const program = join(suite, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const command = [process.execPath, program, ...side, '--scenario', scenario];
  // The suite tells the result of a client on stderr.
  const text = await runCommand('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...command], {
    cwd: await tempFolder(),
  });
  const [result] = /^Passed: .*$/m.exec(text) ?? [];
  if (result === undefined || !result.includes(' 0 failed')) throw new Error(`${scenario}:\n${text}`);
  console.log(`conformance  ${scenario.padEnd(26)} ${result}`);
}

async function callFromPython(): Promise<void> {
  const service = await startService({ PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token' });
  const database = openDatabase(service.dataDir);
  const ports = { records: sqliteRecords(database), clock: systemClock };
  const { secret } = await createToken(ports, ADMIN, { name: 'python', role: 'admin', workspaceIds: null });
  const headers = { authorization: `Bearer ${secret}` };
  const id = await fill({ call: (method, path, body) => service.call(method, path, body, headers) });
  const script = join(import.meta.dirname, 'mcp_client.py');
  const said = await runCommand(join(python, 'bin/python'), [script, `${service.url}/api/mcp`, secret, id]);
  for (const line of said.trim().split('\n')) console.log(`python       ${line}`);
  database.close();
  await service.stop();
}
