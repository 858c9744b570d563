import { isAbsolute, join, relative } from 'node:path';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { InvalidInput, ServiceError } from '../../errors.ts';
import type { Commands } from '../../ports/commands.ts';
import { awaitCommand } from './awaited-command.ts';
import { type CommandMessage, commandAnswerSchema } from './command-message.ts';
import { invoke } from './invoke.ts';

/**
 * Runs commands in the function that has nothing but the workspaces. Only the first root is mounted there. An abort ends
 * the waiting at once and the command a second later. That of a caller that is killed goes on until its own time limit.
 */
export function lambdaCommands(
  client: LambdaClient,
  functionName: string,
  roots: string[],
  patienceMs?: number,
): Commands {
  const root = roots[0] ?? '/';
  return {
    async run({ signal, script, cwd, writable, timeoutMs, maxOutputBytes }) {
      const places = { cwd: below(root, cwd), writable: writable.map((folder) => below(root, folder)) };
      const awaited = await awaitCommand(root);
      const message: CommandMessage = { script, ...places, timeoutMs, maxOutputBytes, awaited: awaited.id };
      const call = { functionName, payload: JSON.stringify(message), signal };
      const text = await invoke(client, call, patienceMs).finally(awaited.end);
      const answer = commandAnswerSchema.parse(JSON.parse(text));
      if ('refused' in answer) throw refusal(answer.refused);
      return {
        ...answer,
        stdout: Buffer.from(answer.stdout, 'base64').toString(),
        stderr: Buffer.from(answer.stderr, 'base64').toString(),
        cwd: join(root, answer.cwd),
      };
    },
  };
}

function refusal({ status, message }: { status: number; message: string }): ServiceError {
  return status === 400 ? new InvalidInput(message) : new ServiceError(status, message);
}

function below(root: string, path: string): string {
  const inside = relative(root, path);
  if (inside.startsWith('..') || isAbsolute(inside)) {
    throw new InvalidInput('cwd: commands run below the first of WORKSPACE_ROOTS only');
  }
  return inside;
}
