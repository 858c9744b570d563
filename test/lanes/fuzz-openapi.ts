import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startFakeProvider } from '../support/fake-provider.ts';
import { startService } from '../support/service.ts';

/** Starts the service with a model and a workspace, hands it to Schemathesis, and ends with its exit code. */
const schemathesis = process.argv[2] ?? 'st';
const seconds = Number(process.env.FUZZ_SECONDS ?? 90);
const provider = await startFakeProvider();
const service = await startService({
  PROVIDER_A_BASE_URL: provider.url,
  EMBEDDING_BASE_URL: provider.url,
  EMBEDDING_API_KEY: 'fuzz',
  AUTH_MODE: 'token',
});
try {
  await mkdir(join(service.root, 'fuzz'));
  await writeFile(join(service.root, 'fuzz', 'owls.md'), '# Owls\n\nOwls hunt at night.\n');
  const authorization = `Bearer ${makeToken(service.dataDir)}`;
  await service.call('POST', '/api/workspaces', { path: 'fuzz' }, { authorization });
  const options = [
    '--header',
    `Authorization:${authorization}`,
    '--checks',
    'all',
    '--max-time',
    String(seconds),
    '--workers',
    '4',
    '--seed',
    '1',
  ];
  const child = spawn(schemathesis, ['run', `${service.url}/api/openapi.json`, ...options], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number];
  process.exitCode = code;
  const complaints = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  if (complaints.length > 0) {
    console.error(`the service logged errors:\n${complaints.slice(0, 5).join('\n')}`);
    process.exitCode = 1;
  }
} finally {
  await service.stop();
  await provider.stop();
}

/** As an administrator would: beside the running service, on the same data folder. */
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
