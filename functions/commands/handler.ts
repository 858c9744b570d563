import { mkdirSync, rmSync } from 'node:fs';
import { commandFunction } from '../../lib/adapters/lambda/command-function.ts';
import { openMirror } from '../../lib/adapters/lambda/mirror.ts';
import { processCommands } from '../../lib/adapters/process/commands.ts';
import { findSandbox } from '../../lib/adapters/process/find-sandbox.ts';
import { cleanerOf } from '../../lib/adapters/process/leftovers.ts';

/** The only writable folder. Commands see its contents as their own files, but not its environment. */
const FOLDER = '/tmp';
const ROOT = `${FOLDER}/workspace`;

// An earlier instance left it behind, so its contents are unknown.
rmSync(ROOT, { recursive: true, force: true });
mkdirSync(ROOT);

// The function itself is the sandbox, one per workspace: it has no files of other workspaces, no secrets, no
// permissions, and no network. If Lambda allows it, a second sandbox is created inside.
const { sandbox } = await findSandbox({ network: 'none', hidden: [] });

/** Runs one command. The function has no route or queue, only invocations by functions with permission. */
export const handler = commandFunction({
  commands: processCommands(sandbox),
  mirror: openMirror(ROOT),
  folder: FOLDER,
  cleanUp: cleanerOf([FOLDER], [ROOT]),
  shared: sandbox.kind !== 'none',
});
