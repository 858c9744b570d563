import { join, relative } from 'node:path';
import { ServiceError } from '../../errors.ts';
import type { Command, Commands } from '../../ports/commands.ts';
import { type CommandAnswer, commandMessageSchema } from './command-message.ts';

/** The function behind lambdaCommands: `root` is where it has the workspaces, `cleanUp` leaves nothing for the next command. */
export function commandFunction(
  commands: Commands,
  root: string,
  cleanUp: () => Promise<void>,
): (event: unknown) => Promise<CommandAnswer> {
  return async (event) => {
    const { cwd, writable, ...message } = commandMessageSchema.parse(event);
    const command = { ...message, cwd: join(root, cwd), writable: writable.map((path) => join(root, path)) };
    try {
      return await run(commands, command, root);
    } finally {
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
