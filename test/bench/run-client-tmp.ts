import { cleanUp } from '../support/temp-folder.ts';
import { benchClient } from './client.ts';
import { printTable } from './table.ts';
printTable(await benchClient());
await cleanUp();
process.exit(0);
