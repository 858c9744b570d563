import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startFakeAnthropic } from '../support/fakes/fake-anthropic.ts';
import { feishuEnvironment, startFakeFeishu } from '../support/fakes/fake-feishu.ts';
import { fakeRepo, startFakeHub, textFile } from '../support/fakes/fake-hub.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { paperEnv, startFakePapers } from '../support/fakes/fake-papers.ts';
import { startFakeWecom } from '../support/fakes/fake-wecom.ts';
import { wecomEnvironment } from '../support/fakes/wecom-person.ts';
import { startService } from '../support/service.ts';
import { cleanUp } from '../support/temp-folder.ts';

/** Starts the service with a model and a workspace, runs Schemathesis on it, and exits with its code. */
const schemathesis = process.argv[2] ?? 'st';
const seconds = Number(process.env.FUZZ_SECONDS ?? 90);
const provider = await startFakeOpenai();
const anthropic = await startFakeAnthropic();
const hub = await startFakeHub({ 'owls/night': fakeRepo([textFile('owls.csv', 'name,eyes\nbarn owl,2\n')]) });
const feishu = await startFakeFeishu();
const service = await startService({
  ...wecomEnvironment(await startFakeWecom()),
  ...feishuEnvironment(feishu, 'fuzz'),
  IMA_PUSH_SECRET: 'fuzz',
  ...paperEnv(await startFakePapers()),
  PROVIDER_A_BASE_URL: provider.url,
  PROVIDER_B_BASE_URL: anthropic.url,
  PROVIDER_C_BASE_URL: provider.url,
  HUB_A_BASE_URL: hub.url,
  HUB_B_BASE_URL: hub.url,
  EMBEDDING_BASE_URL: provider.url,
  EMBEDDING_API_KEY: 'fuzz',
  AUTH_MODE: 'token',
});
try {
  await mkdir(join(service.root, 'fuzz'));
  await writeFile(join(service.root, 'fuzz', 'owls.md'), '# Owls\n\nOwls hunt at night.\n');
  const authorization = `Bearer ${makeToken(service.dataDir)}`;
  const made = await service.call<{ id: string }>(
    'POST',
    '/api/workspaces',
    { path: 'fuzz' },
    { authorization },
  );
  process.env.FUZZ_WORKSPACE = made.body.id;
  // Separate tokens, because a run that revokes its own token would then get only errors.
  await fuzz(`Authorization:${authorization}`, ['--exclude-path-regex', '^/api/tokens'], seconds);
  await fuzz(`Authorization:${authorization}`, ['--include-path-regex', '^/api/tokens'], seconds / 4);
  const complaints = service
    .output()
    .split('\n')
    // A resource named by a caller may be missing. That is a 502, and not a fault of the service.
    .filter((line) => line.includes('"level":"error"') && !line.includes('has no IP address'));
  if (complaints.length > 0) {
    console.error(`the service logged errors:\n${complaints.slice(0, 5).join('\n')}`);
    process.exitCode = 1;
  }
} finally {
  await service.stop();
  await Promise.all([provider.stop(), anthropic.stop(), hub.stop(), feishu.stop()]);
  await cleanUp();
}

/** Runs Schemathesis; on a finding, this process exits with its code. */
async function fuzz(header: string, which: string[], time: number): Promise<void> {
  const bounds = ['--checks', 'all', '--max-time', String(Math.ceil(time)), '--workers', '1', '--seed', '1'];
  const options = ['run', `${service.url}/api/openapi.json`, '--header', header, ...which, ...bounds];
  const child = spawn(schemathesis, options, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) process.exitCode = code;
}

/** Creates a token as an administrator does: next to the running service, on the same data folder. */
function makeToken(dataDir: string): string {
  const command = [
    resolve(import.meta.dirname, '../../infra/token.ts'),
    'create',
    '--name',
    'fuzz',
    '--role',
    'admin',
  ];
  const environment = { PATH: process.env.PATH, DATA_DIR: dataDir };
  return execFileSync(process.execPath, command, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim();
}
