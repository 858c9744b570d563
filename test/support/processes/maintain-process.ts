import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';

/** Maintains a table in a separate process, which can be killed: folder, workspace, space, minimum bytes. */
const [folder = '', workspaceId = '', space = '', bytes] = process.argv.slice(2);
const table = await lancedbVectors(folder, { indexFromBytes: Number(bytes) }).open(workspaceId, space);
await table.count(); // the library is loaded, and the table is open
process.stdout.write('ready\n');
await table.maintain();
