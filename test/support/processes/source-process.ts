import { flushCompileCache } from 'node:module';
import { setLogLevel } from '../../../lib/log.ts';
import { workOnSource } from '../../../lib/sources/work.ts';
import { SOURCE_WORKSPACE, sourceName, sourcePorts, type TestSource } from '../sources.ts';

/** A worker of a source as a separate process, until it is killed: `source-process.ts DATA_DIR SOURCE`, the latter as JSON. */
const [, , dataDir = '', json = ''] = process.argv;
const source = JSON.parse(json) as TestSource;
flushCompileCache(); // killed, and the cache is written only at a regular end
setLogLevel('error');
const { ports, database } = sourcePorts(dataDir, source);
const message = { kind: 'source' as const, workspaceId: SOURCE_WORKSPACE, name: sourceName(source) };
await workOnSource(ports, message, 600_000);
database.close();
