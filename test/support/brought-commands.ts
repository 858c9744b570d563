import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandEnvironment, commandFunction } from '../../lib/adapters/lambda/command-function.ts';
import { lambdaCommands } from '../../lib/adapters/lambda/commands.ts';
import { openMirror } from '../../lib/adapters/lambda/mirror.ts';
import { processCommands } from '../../lib/adapters/process/commands.ts';
import { unsandboxed } from '../../lib/adapters/process/unsandboxed.ts';
import { startLambda } from './fakes/fake-lambda.ts';
import { startSignedObjects } from './signed-objects.ts';
import { tempFolder } from './temp-folder.ts';

interface Options extends Partial<CommandEnvironment> {
  isolated?: boolean;
  refusal?: () => string | undefined;
  patienceMs?: number;
}

/** Runs commands in a function, in environments without any files except the transferred ones. */
export async function startBroughtCommands({ isolated = true, refusal, patienceMs, ...more }: Options = {}) {
  const store = await startSignedObjects();
  const mirrors: string[] = [];
  const lambda = await startLambda(async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, 'workspace'));
    mirrors.push(join(folder, 'workspace'));
    return commandFunction({
      commands: processCommands(unsandboxed),
      mirror: openMirror(join(folder, 'workspace')),
      folder,
      cleanUp: async () => {},
      shared: false,
      lookEveryMs: 50,
      ...more,
    });
  }, refusal);
  const notesFolder = join(await tempFolder(), 'commands');
  const ports = {
    client: lambda.client,
    functionName: 'commands',
    objects: store.objects,
    signGet: store.signGet,
    notesFolder,
    isolated,
    ...(patienceMs !== undefined && { patienceMs }),
  };
  const commands = lambdaCommands(ports);
  return { commands, ports, store, lambda, mirrors, notesFolder };
}
