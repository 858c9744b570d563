import { mkdirSync, rmSync } from 'node:fs';
import { commandFunction } from '../../lib/adapters/lambda/command-function.ts';
import { openMirror } from '../../lib/adapters/lambda/mirror.ts';
import { processCommands } from '../../lib/adapters/process/commands.ts';
import { findSandbox } from '../../lib/adapters/process/find-sandbox.ts';
import { cleanerOf } from '../../lib/adapters/process/leftovers.ts';
import { readConfig } from '../../lib/config.ts';

/** The only folder that can be written to: commands see what is in it, except what they run in, as their own. */
const FOLDER = '/tmp';
const ROOT = `${FOLDER}/workspace`;

// An earlier instance left this, and nobody knows any more what it was.
rmSync(ROOT, { recursive: true, force: true });
mkdirSync(ROOT);

// The function itself is the sandbox, one for each workspace: it has no file of another, no secret, no right and no way
// out. A second sandbox is made inside it where Lambda allows that.
const { sandbox } = await findSandbox({ network: 'none', hidden: [] });
const { allowUnsandboxed } = readConfig().commands;

/** Runs one command: no route and no queue leads here, only an invocation by the functions that may. */
export const handler = commandFunction({
  commands: processCommands(sandbox),
  mirror: openMirror(ROOT),
  folder: FOLDER,
  cleanUp: cleanerOf([FOLDER], [ROOT]),
  shared: sandbox.kind !== 'none' || allowUnsandboxed,
});
