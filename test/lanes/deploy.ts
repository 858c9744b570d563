import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { runCommand } from './servers/install.ts';
import { startMinistack } from './servers/ministack.ts';

/**
 * The packaged stack, deployed: packages the service, starts MiniStack on loopback, and runs test/deploy, which creates
 * the stack there and drives it over API Gateway. Ends with jest's code. Arguments go to jest.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const started = performance.now();
// An exit, unlike the signal alone, lets test/lanes/servers/process.ts end the server.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const packaged = runCommand(process.execPath, ['infra/package.ts', 'package', '--stage', 'lane'], {
  cwd: ROOT,
});
const [, ministack] = await Promise.all([packaged, startMinistack()]);
say(`the service is packaged, MiniStack answers at ${ministack.url}`);
process.exitCode = await runTests();
await ministack.stop();
say('stopped');

async function runTests(): Promise<number> {
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...process.argv.slice(2),
    '--roots=test/deploy',
    '--testPathIgnorePatterns=/node_modules/',
  ];
  const env = { ...process.env, MINISTACK_URL: ministack.url };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  process.once('exit', () => child.kill());
  const [code] = (await once(child, 'exit')) as [number | null];
  say(`tests ended with code ${code}`);
  return code ?? 1;
}

function say(what: string): void {
  console.error(`${((performance.now() - started) / 1000).toFixed(1)} s: ${what}`);
}
