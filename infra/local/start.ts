import { resolve } from 'node:path';
import { buildServiceForUse } from './build.ts';
import { startHost } from './start-host.ts';

/**
 * `npm start`: builds if sources changed, then runs the host. `npm start -- --aws http://127.0.0.1:4566` runs it on the
 * AWS adapters, against an emulator; `--dynamodb` is the URL of DynamoDB if it is elsewhere. `npm start -- ~/papers`
 * adds a folder that workspaces may use. `wrs` starts it with `--embedded`.
 */
await startHost(resolve(import.meta.dirname, '../..'), buildServiceForUse);
