import { runJest } from './run-jest.ts';
import { startKubernetes } from './servers/kubernetes.ts';

/**
 * The cluster against a real Kubernetes control plane: builds it at the first run, starts it on loopback,
 * runs test/cluster, stops it, and exits with Jest's code. Arguments are passed to Jest; with `--stay` alone
 * it runs no test and stays until it is stopped.
 */
const started = performance.now();
// An exit, unlike a signal alone, lets test/lanes/servers/process.ts stop the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const kubernetes = await startKubernetes();
say(`the control plane answers at ${kubernetes.url}, its kubeconfigs are in ${kubernetes.folder}`);
if (process.argv[2] === '--stay') await new Promise(() => setInterval(() => {}, 60_000));
const variables = { CLUSTER_FOLDER: kubernetes.folder, CLUSTER_URL: kubernetes.url };
// One file after the other, because they use one cluster, and one of them adds another job type.
process.exitCode = await runJest('test/cluster', variables, ['--runInBand', '--testTimeout=120000']);
say(`tests ended with code ${process.exitCode}`);
await kubernetes.stop();
say('stopped');

function say(what: string): void {
  console.error(`${((performance.now() - started) / 1000).toFixed(1)} s: ${what}`);
}
