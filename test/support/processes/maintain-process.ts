import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';

/** Maintains a table in a process of its own, which can be killed: folder, workspace, space, from how many bytes on. */
const [folder = '', workspaceId = '', space = '', bytes] = process.argv.slice(2);
const table = await lancedbVectors(folder, { indexFromBytes: Number(bytes) }).open(workspaceId, space);
await table.count(); // the library is loaded, the table open
process.stdout.write('ready\n');
await table.maintain();
