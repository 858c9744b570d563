import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');
const IMPORTS = `import { endBySignal, endProcess } from ${JSON.stringify(join(ROOT, 'infra/end-process.ts'))};
  import { killProcess } from ${JSON.stringify(join(ROOT, 'lib/kill-process.ts'))};`;

async function endOf(program: string): Promise<unknown[]> {
  const code = `${IMPORTS}\n${program}`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], { stdio: 'inherit' });
  return once(child, 'exit');
}

it('endProcess ends an idle process with its exit code, although a server keeps it open', async () => {
  const program = `import { createServer } from 'node:net';
    createServer().listen(0, '127.0.0.1', () => {
      process.exitCode = 3;
      endProcess();
    });`;
  expect(await endOf(program)).toEqual([3, null]);
});

it('endProcess ends a process by the signal that the process handled', async () => {
  const program = `process.on('SIGTERM', endBySignal);
    setInterval(() => {}, 1000);
    process.kill(process.pid, 'SIGTERM');`;
  expect(await endOf(program)).toEqual([null, 'SIGTERM']);
});

it('endProcess kills a process immediately in the middle of its work', async () => {
  expect(await endOf("process.on('exit', () => process.exit(4)); killProcess();")).toEqual([null, 'SIGKILL']);
});
