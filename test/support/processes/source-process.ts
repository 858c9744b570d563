import { flushCompileCache } from 'node:module';
import { setLogLevel } from '../../../lib/log.ts';
import { workOnSource } from '../../../lib/sources/work.ts';
import { SOURCE_WORKSPACE, sourcePorts } from '../sources.ts';

/** A worker of a source as a separate process, until it is killed: `source-process.ts DATA_DIR URL KEY`. */
const [, , dataDir = '', url = '', apiKey = ''] = process.argv;
flushCompileCache(); // killed, and the cache is written only at a regular end
setLogLevel('error');
const { ports, database } = sourcePorts(dataDir, { url, apiKey });
await workOnSource(ports, { kind: 'source', workspaceId: SOURCE_WORKSPACE, name: 'Zotero' }, 600_000);
database.close();
