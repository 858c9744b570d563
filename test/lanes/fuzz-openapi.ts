import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeProvider } from '../support/fake-provider.ts';
import { startService } from '../support/service.ts';
import { createWorkspace } from '../support/sync.ts';

/** Starts the service with a model and a workspace, hands it to Schemathesis, and ends with its exit code. */
const schemathesis = process.argv[2] ?? 'st';
const seconds = Number(process.env.FUZZ_SECONDS ?? 90);
const provider = await startFakeProvider();
const service = await startService({
  PROVIDER_A_BASE_URL: provider.url,
  EMBEDDING_BASE_URL: provider.url,
  EMBEDDING_API_KEY: 'fuzz',
});
try {
  await mkdir(join(service.root, 'fuzz'));
  await writeFile(join(service.root, 'fuzz', 'owls.md'), '# Owls\n\nOwls hunt at night.\n');
  await createWorkspace(service, 'fuzz');
  const options = ['--checks', 'all', '--max-time', String(seconds), '--workers', '4', '--seed', '1'];
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
