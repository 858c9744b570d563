import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readServiceFile } from '../../infra/local/service-file.ts';
import type { Template } from '../../infra/stack/template.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { createToken } from '../../lib/tokens/tokens.ts';
import { startCloudfront } from '../support/fakes/fake-cloudfront.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { installOnce } from '../support/install-once.ts';
import { type Service, startService } from '../support/service.ts';
import { syncWorkspace } from '../support/sync.ts';
import { ADMIN } from '../support/tasks.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { startEverything } from './mcp-everything.ts';
import { installPython, runCommand } from './servers/install.ts';

/**
 * The Model Context Protocol with third-party code: the protocol's own conformance suite (npm) against the
 * running service, and against its adapter for features that the service has under other names, and the
 * suite's servers for its client; and the Python SDK (PyPI) against the service.
 */
const SUITE = '0.1.16';
const PYTHON_SDK = '2.3.0';

/** Scenarios that the service passes unchanged. */
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
/** Scenarios of methods that the service doesn't announce: it responds that the method doesn't exist. */
const NOT_ANNOUNCED = [
  'logging-set-level',
  'completion-complete',
  'tools-call-with-logging',
  'resources-subscribe',
  'resources-unsubscribe',
];
/**
 * Scenarios of the suite's own tools and prompts, with contents or requests to the client that the service
 * never sends.
 */
const NOT_OFFERED = [
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'json-schema-2020-12',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];
/** Scenarios that check nothing on a service without sessions. */
const WITHOUT_CHECKS = ['server-sse-polling', 'server-sse-multiple-streams'];
/**
 * Client scenarios that the service uses. The other scenarios cover features that it lacks: elicitation and
 * OAuth sign-in.
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
  const service = ['server', '--url', `${open.url}/api/mcp`];
  for (const scenario of ON_SERVICE) await conform(scenario, service);
  for (const scenario of NOT_ANNOUNCED) await expectFailure(scenario, service, /-32601: Method not found/);
  for (const scenario of NOT_OFFERED)
    await expectFailure(scenario, service, /-32602: .+|Tool '\w+' not found/);
  for (const scenario of WITHOUT_CHECKS) await expectFailure(scenario, service, /^Passed: 0\/0, 0 failed/m);
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

/** Fails with the suite's output. */
async function conform(scenario: string, side: string[]): Promise<void> {
  const text = await runScenario(scenario, side);
  const [result] = /^Passed: .*$/m.exec(text) ?? [];
  if (result === undefined || !result.includes(' 0 failed')) throw new Error(`${scenario}:\n${text}`);
  console.log(`conformance  ${scenario.padEnd(29)} ${result}`);
}

/** An impossible scenario must fail for the reason that the conformance page states. */
async function expectFailure(scenario: string, side: string[], reason: RegExp): Promise<void> {
  const text = await runScenario(scenario, side);
  const [found] = reason.exec(text) ?? [];
  if (found === undefined) throw new Error(`${scenario} did not fail as expected:\n${text}`);
  console.log(`conformance  ${scenario.padEnd(29)} not offered: ${found}`);
}

async function runScenario(scenario: string, side: string[]): Promise<string> {
  const program = join(suite, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const command = [process.execPath, program, ...side, '--scenario', scenario];
  // The suite reports the result of a client on stderr, and a failed scenario by its exit code.
  return runCommand('sh', ['-c', '"$@" 2>&1; true', 'sh', ...command], { cwd: await tempFolder() });
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
  await askSlowly(script, service, [secret, id]);
  database.close();
  await service.stop();
}

/**
 * Makes calls without progress that are silent for longer than CloudFront waits, which is 20 s here. Only
 * comments keep them alive.
 */
async function askSlowly(script: string, service: Service, args: string[]): Promise<void> {
  const { resources } = readServiceFile(join(import.meta.dirname, '../../serverless.yml'));
  const origins = { api: (path: string) => service.url + path.replace(/^\/dev/, '') };
  const url = await startCloudfront(resources as Template['Resources'], origins, { secondMs: 1000 / 3 });
  provider.beforePiece = (number) => (number === 0 ? sleep(25_000) : Promise.resolve());
  const said = await runCommand(join(python, 'bin/python'), [script, `${url}/api/mcp`, ...args, 'slowly']);
  provider.beforePiece = undefined;
  for (const line of said.trim().split('\n')) console.log(`python       ${line}`);
}
