import { resolve } from 'node:path';
import { startHost } from './start-host.ts';

/** The start of the installed package (infra/pack), which is its own build. Takes the arguments of `npm start`. */
const root = resolve(import.meta.dirname, '../..');
await startHost(root, async () => root);
