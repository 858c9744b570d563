import { isAbsolute, join, relative } from 'node:path';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { InvalidInput, ServiceError, UpstreamFailed } from '../../errors.ts';
import type { Commands } from '../../ports/commands.ts';
import { type CommandAnswer, type CommandMessage, commandAnswerSchema } from './command-message.ts';

/**
 * Runs commands in the function that has nothing but the workspaces. Only the first root is mounted there. An abort ends
 * the waiting at once; the command itself cannot be reached from here and goes on until its own time limit.
 */
export function lambdaCommands(client: LambdaClient, functionName: string, roots: string[]): Commands {
  const root = roots[0] ?? '/';
  return {
    async run({ signal, script, cwd, writable, timeoutMs, maxOutputBytes }) {
      const message: CommandMessage = {
        script,
        cwd: below(root, cwd),
        writable: writable.map((folder) => below(root, folder)),
        timeoutMs,
        maxOutputBytes,
      };
      const answer = await invoke(client, functionName, message, signal);
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

async function invoke(
  client: LambdaClient,
  FunctionName: string,
  message: CommandMessage,
  abortSignal: AbortSignal | undefined,
): Promise<CommandAnswer> {
  const command = new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(message)) });
  const { Payload, FunctionError } = await client
    .send(command, abortSignal === undefined ? {} : { abortSignal })
    .catch((error: unknown) => {
      abortSignal?.throwIfAborted();
      throw new UpstreamFailed('the function that runs commands could not be reached', { cause: error });
    });
  if (FunctionError !== undefined) throw new UpstreamFailed('the function that runs commands failed');
  return commandAnswerSchema.parse(JSON.parse(Buffer.from(Payload ?? []).toString()));
}

function below(root: string, path: string): string {
  const inside = relative(root, path);
  if (inside.startsWith('..') || isAbsolute(inside)) {
    throw new InvalidInput('cwd: commands run below the first of WORKSPACE_ROOTS only');
  }
  return inside;
}
