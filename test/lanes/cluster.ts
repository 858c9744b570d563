import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { startKubernetes } from './servers/kubernetes.ts';

/**
 * The cluster against a real Kubernetes control plane: builds it at the first run, starts it on loopback, runs
 * test/cluster, stops it, and ends with jest's code. Arguments go to jest; with `--stay` alone it runs no test and
 * stays until it is stopped.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const started = performance.now();
// An exit, unlike the signal alone, lets test/lanes/servers/process.ts end the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const kubernetes = await startKubernetes();
say(`the control plane answers at ${kubernetes.url}, its kubeconfigs are in ${kubernetes.folder}`);
if (process.argv[2] === '--stay') await new Promise(() => setInterval(() => {}, 60_000));
process.exitCode = await runTests();
await kubernetes.stop();
say('stopped');

async function runTests(): Promise<number> {
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...process.argv.slice(2),
    '--roots=test/cluster',
    '--testPathIgnorePatterns=/node_modules/',
    // They look at one cluster, and one of them gives it another type of jobs.
    '--maxWorkers=1',
    '--testTimeout=120000',
  ];
  const env = { ...process.env, CLUSTER_FOLDER: kubernetes.folder, CLUSTER_URL: kubernetes.url };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  process.once('exit', () => child.kill());
  const [code] = (await once(child, 'exit')) as [number | null];
  say(`tests ended with code ${code}`);
  return code ?? 1;
}

function say(what: string): void {
  console.error(`${((performance.now() - started) / 1000).toFixed(1)} s: ${what}`);
}
