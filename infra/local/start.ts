import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildService } from './build.ts';

/** `npm start`: `.env` when there is one (the real environment wins), a build when sources changed, then the host. */
const root = resolve(import.meta.dirname, '../..');
if (existsSync('.env')) process.loadEnvFile('.env');
const built = await buildService();
const host = (await import(join(built, 'infra/local/host.mjs'))) as typeof import('./host.ts');
await host.run(root);
