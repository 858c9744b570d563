import { cleanUp } from '../support/temp-folder.ts';
import { measureCalls } from './calls.ts';

/**
 * Prints the measured calls as JSON. A separate process, because the functions read their configuration once.
 */
console.log(JSON.stringify(await measureCalls()));
await cleanUp();
process.exit(0);
