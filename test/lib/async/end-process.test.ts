import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const MODULE = resolve(import.meta.dirname, '../../../lib/async/end-process.ts');

async function endOf(program: string): Promise<unknown[]> {
  const code = `import { endBySignal, endProcess, killProcess } from ${JSON.stringify(MODULE)};\n${program}`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], { stdio: 'inherit' });
  return once(child, 'exit');
}

it('ends a process with its exit code once it rests, although a server holds it open', async () => {
  const program = `import { createServer } from 'node:net';
    createServer().listen(0, '127.0.0.1', () => {
      process.exitCode = 3;
      endProcess();
    });`;
  expect(await endOf(program)).toEqual([3, null]);
});

it('ends a process by the signal that it listened to', async () => {
  const program = `process.on('SIGTERM', endBySignal);
    setInterval(() => {}, 1000);
    process.kill(process.pid, 'SIGTERM');`;
  expect(await endOf(program)).toEqual([null, 'SIGTERM']);
});

it('kills a process at once, in the middle of its work', async () => {
  expect(await endOf("process.on('exit', () => process.exit(4)); killProcess();")).toEqual([null, 'SIGKILL']);
});
