import { join, relative } from 'node:path';
import { Conflict, ServiceError } from '../../errors.ts';
import type { Command, Commands } from '../../ports/commands.ts';
import { watchAwaited } from './awaited-command.ts';
import { type CommandAnswer, commandMessageSchema } from './command-message.ts';

/**
 * The function behind lambdaCommands: `root` is where it has the workspaces, `cleanUp` leaves nothing for the next command.
 * A command that nobody waits for any more is ended, and its place is free.
 */
export function commandFunction(
  commands: Commands,
  root: string,
  cleanUp: () => Promise<void>,
  lookEveryMs?: number,
): (event: unknown) => Promise<CommandAnswer> {
  return async (event) => {
    const { cwd, writable, awaited, ...message } = commandMessageSchema.parse(event);
    const places = { cwd: join(root, cwd), writable: writable.map((path) => join(root, path)) };
    const stop = new AbortController();
    const onGone = () => stop.abort(new Conflict('the command was stopped'));
    const endWatch = awaited === undefined ? undefined : watchAwaited(root, awaited, onGone, lookEveryMs);
    try {
      return await run(commands, { ...message, ...places, signal: stop.signal }, root);
    } finally {
      endWatch?.();
      await cleanUp();
    }
  };
}

async function run(commands: Commands, command: Command, root: string): Promise<CommandAnswer> {
  try {
    const result = await commands.run(command);
    return {
      ...result,
      stdout: Buffer.from(result.stdout).toString('base64'),
      stderr: Buffer.from(result.stderr).toString('base64'),
      cwd: relative(root, result.cwd),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { refused: { status: error.status, message: error.message } };
  }
}
