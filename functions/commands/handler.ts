import { mkdirSync, rmSync } from 'node:fs';
import { commandFunction } from '../../lib/adapters/lambda/command-function.ts';
import { openMirror } from '../../lib/adapters/lambda/mirror.ts';
import { processCommands } from '../../lib/adapters/process/commands.ts';
import { findSandbox } from '../../lib/adapters/process/find-sandbox.ts';
import { cleanerOf } from '../../lib/adapters/process/leftovers.ts';

/** The only writable folder. Commands see its contents, except their environment, as their own. */
const FOLDER = '/tmp';
const ROOT = `${FOLDER}/workspace`;

// Left by an earlier instance, so its origin is unknown.
rmSync(ROOT, { recursive: true, force: true });
mkdirSync(ROOT);

// The function itself is the sandbox, one per workspace: it has no file of another workspace, no secret, no permission,
// and no network. If Lambda allows it, a second sandbox is created inside.
const { sandbox } = await findSandbox({ network: 'none', hidden: [] });

/** Runs one command. The function has no route or queue, only invocations by functions with permission. */
export const handler = commandFunction({
  commands: processCommands(sandbox),
  mirror: openMirror(ROOT),
  folder: FOLDER,
  cleanUp: cleanerOf([FOLDER], [ROOT]),
  shared: sandbox.kind !== 'none',
});
