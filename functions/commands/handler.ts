import { commandFunction } from '../../lib/adapters/lambda/command-function.ts';
import { processCommands } from '../../lib/adapters/process/commands.ts';
import { findSandbox } from '../../lib/adapters/process/find-sandbox.ts';
import { cleanerOf } from '../../lib/adapters/process/leftovers.ts';

/** Where the access point of the workspaces is mounted. */
const ROOT = '/mnt/workspaces';

// The function is the sandbox: it has no secret, no right and no way out. One more inside it where Lambda lets us.
const { sandbox } = await findSandbox({ network: 'none', hidden: [] });

/** Runs one command: no route and no queue leads here, only an invocation by the functions that may. */
export const handler = commandFunction(processCommands(sandbox), ROOT, cleanerOf(['/tmp']));
