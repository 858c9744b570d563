import { runJest } from './run-jest.ts';
import { startNfsMounts } from './servers/nfs-mounts.ts';

/**
 * What depends on the file system, on one that has NFS's manners: starts two hosts with one folder, runs test/nfs on them,
 * and ends with jest's code. Arguments go to jest; with `--stay` alone it runs no test and stays until it is stopped.
 */
// An exit, unlike the signal alone, lets test/lanes/servers/process.ts end the server.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const mounts = await startNfsMounts();
console.error(`two hosts see one folder: ${mounts.hosts.join(' and ')}; their calls: ${mounts.url}/calls`);
if (process.argv[2] === '--stay') await new Promise(() => setInterval(() => {}, 60_000));
const [first, second] = mounts.hosts;
const variables = { NFS_FIRST: first, NFS_SECOND: second, NFS_URL: mounts.url };
// One file after another: they count calls.
process.exitCode = await runJest('test/nfs', variables, ['--runInBand']);
await mounts.stop();
