import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { killProcess } from '../../lib/kill-process.ts';
import { buildServiceForUse } from './build.ts';
import { readStartOptions } from './start-flags.ts';

/**
 * `npm start`: loads `.env` if it exists (the real environment wins), builds if sources changed, then runs the host.
 * `npm start -- --aws http://127.0.0.1:4566` runs it on the AWS adapters, against an emulator; `--dynamodb` is the URL
 * of DynamoDB if it is elsewhere. `npm start -- ~/papers` adds a folder that workspaces may use. `wrs` starts it with
 * `--embedded`.
 */
const values = readOptionsOrExit();
// The parent may end before this host serves it (embedded.ts); nothing else would ever stop the host.
if (values.embedded) process.once('disconnect', killProcess);
// npm names the script that it runs; without npm, the parent isn't watched.
const npm = process.env.npm_lifecycle_event === 'start' ? process.ppid : undefined;
const root = resolve(import.meta.dirname, '../..');
if (existsSync('.env')) process.loadEnvFile('.env');
if (values.dynamodb !== undefined) process.env.AWS_ENDPOINT_URL_DYNAMODB = values.dynamodb;
const built = await buildServiceForUse({ quiet: values.embedded });
const host = (await import(join(built, 'infra/local/host.mjs'))) as typeof import('./host.ts');
await host.run(root, { ...values, npm });

function readOptionsOrExit() {
  try {
    return readStartOptions(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
