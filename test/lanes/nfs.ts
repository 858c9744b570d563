import { runJest } from './run-jest.ts';
import { startNfsMounts } from './servers/nfs-mounts.ts';

/**
 * Tests that depend on the file system, on one that behaves like NFS: starts two hosts with one folder, runs
 * test/nfs on them, and exits with Jest's code. Arguments are passed to Jest; with `--stay` alone it runs no
 * test and stays until it is stopped.
 */
const mounts = await startNfsMounts();
// A mount outlives its program if the program is killed, or only exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void mounts.stop().finally(() => process.exit(1)));
console.error(`two hosts see one folder: ${mounts.hosts.join(' and ')}; their calls: ${mounts.url}/calls`);
if (process.argv[2] === '--stay') await new Promise(() => setInterval(() => {}, 60_000));
const [first, second] = mounts.hosts;
const variables = { NFS_FIRST: first, NFS_SECOND: second, NFS_URL: mounts.url };
// One file after the other, because they count calls.
process.exitCode = await runJest('test/nfs', variables, ['--runInBand']);
await mounts.stop();
