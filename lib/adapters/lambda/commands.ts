import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type * as z from 'zod';
import { InvalidInput, ServiceError, serviceError, UpstreamFailed } from '../../errors.ts';
import { realCwd, unlinkedFolder } from '../../paths/command-folders.ts';
import { isInside } from '../../paths/confine.ts';
import type { ChangeKeeper, Command, CommandResult, Commands } from '../../ports/commands.ts';
import type { Objects } from '../../ports/objects.ts';
import { type Applied, applyChanges } from './apply-changes.ts';
import { INLINE_BYTES, RESULT_BYTES } from './brought-limits.ts';
import { type CommandAnswer, type CommandMessage, commandAnswerSchema, packList } from './command-message.ts';
import { invoke } from './invoke.ts';
import { type Listed, listWorkspace } from './list-workspace.ts';
import { packFiles } from './pack-files.ts';
import { type BegunCommand, finishOthers, joined, noteCommand, resultKey } from './unfinished-commands.ts';

export interface LambdaCommands {
  client: LambdaClient;
  functionName: string;
  objects: Objects;
  /** Returns a URL whose holder can read an object for this many seconds. */
  signGet(key: string, expiresInSeconds: number): Promise<string>;
  /** The folder that has a note per running command. Commands can't see it. */
  notesFolder: string;
  /** True if the function has one environment per workspace. */
  isolated: boolean;
  patienceMs?: number;
}

/** Seconds for which URLs are valid: the maximum lifetime of a calling function. */
const SIGNED_SECONDS = 900;
const ROUNDS = 3;
/** The tenant of commands outside workspaces. They see the root that they run in. */
const NO_WORKSPACE = 'roots';
const MAX_NAMED = 20;

/**
 * Runs commands in a function that has no files of its own: copies the workspace's changes since the last
 * command to it, and applies the command's changes here once the command has ended. An abort ends the wait
 * immediately and the command a second later. Its changes then arrive with the next command, as they do if
 * the caller dies.
 */
export function lambdaCommands(ports: LambdaCommands): Commands {
  return { run: (command) => runBrought(ports, command) };
}

async function runBrought(ports: LambdaCommands, command: Command): Promise<CommandResult> {
  command.signal?.throwIfAborted();
  const place = await locate(command);
  const workspace = command.workspaceId ?? NO_WORKSPACE;
  const folder = join(ports.notesFolder, workspace);
  const earlier = await finishOthers(ports.objects, { folder, workspace, root: place.root }, command.keeper);
  const listed = await listWorkspace(place.root, place.mounts);
  const list = packList(listed.entries);
  const readOnly = place.mounts.map(({ target }) => target.slice(place.root.length + 1));
  const begun = await noteCommand(folder, { root: place.root, readOnly, keeperId: command.keeper?.id });
  const call: Call = { workspace, begun, listed, list, readOnly, cwd: place.cwd };
  const answer = await stoppable(ports, command, call);
  const applied = await takeBack(ports, call, place.root, answer, command.keeper);
  const said = [
    ...describeEarlier(earlier),
    ...describe(NOT_SEEN, listed.leftOut),
    ...describe(NOT_MADE, applied.undone),
    ...(applied.isLate ? [LATE] : []),
  ];
  const { changed: _, ...result } = answer;
  return {
    ...result,
    stdout: Buffer.from(result.stdout, 'base64').toString(),
    stderr: withNotes(Buffer.from(result.stderr, 'base64').toString(), said),
    cwd: join(place.root, result.cwd),
    changed: joined(earlier, applied).changed,
  };
}

/** Appends the notes to the command's output, on separate lines. */
function withNotes(stderr: string, notes: string[]): string {
  if (notes.length === 0) return stderr;
  const begin = stderr === '' || stderr.endsWith('\n') ? stderr : `${stderr}\n`;
  return `${begin}${notes.join('\n')}\n`;
}

interface Call {
  workspace: string;
  begun: BegunCommand;
  listed: Listed;
  list: string;
  readOnly: string[];
  cwd: string;
}

type Done = Extract<CommandAnswer, { stdout: string }>;

/** Notifies the function of an abort before this call ends, because Lambda may then stop this process. */
async function stoppable(ports: LambdaCommands, command: Command, call: Call): Promise<Done> {
  try {
    return await callFunction(ports, command, call);
  } catch (error) {
    if (command.signal?.aborted) await ports.objects.put(keyOf(call, 'stop'), Buffer.from('stop'));
    else if (error instanceof ServiceError && !(error instanceof UpstreamFailed)) await call.begun.end();
    throw error;
  }
}

/**
 * Repeats the call until no entry is missing. Each call may reach another environment, so the last one sends
 * everything.
 */
async function callFunction(ports: LambdaCommands, command: Command, call: Call): Promise<Done> {
  const { script, timeoutMs, maxOutputBytes, signal } = command;
  const { workspace, list, readOnly, cwd } = call;
  const addresses = await sign(ports, call);
  let pack: CommandMessage['pack'];
  for (let round = 1; round <= ROUNDS; round++) {
    const message: CommandMessage = {
      workspace,
      script,
      cwd,
      timeoutMs,
      maxOutputBytes,
      list,
      readOnly,
      ...addresses,
    };
    const payload = JSON.stringify({ ...message, ...(pack && { pack }) });
    const tenantId = ports.isolated ? workspace : undefined;
    const answer = parse(
      await invoke(
        ports.client,
        { functionName: ports.functionName, payload, signal, tenantId },
        { patienceMs: ports.patienceMs },
      ),
    );
    if ('stdout' in answer) return answer;
    if ('refused' in answer) throw refusal(answer.refused);
    const wanted = round + 1 < ROUNDS ? answer.lacks : [...call.listed.entries.keys()];
    pack = await send(ports, call, wanted);
  }
  throw new UpstreamFailed(
    'commands_failed',
    'The commands function did not receive the files of the workspace. Try again.',
  );
}

async function sign({ objects, signGet }: LambdaCommands, call: Call) {
  const key = resultKey(call.workspace, call.begun.id);
  const signed = RESULT_BYTES.map((size) =>
    objects.presignPut(key, { size, expiresInSeconds: SIGNED_SECONDS }),
  );
  return {
    results: (await Promise.all(signed)).map(({ url }) => url),
    stopped: await signGet(keyOf(call, 'stop'), SIGNED_SECONDS),
  };
}

async function send(ports: LambdaCommands, call: Call, wanted: number[]): Promise<CommandMessage['pack']> {
  const files = packFiles(call.listed, wanted);
  const size = wanted.reduce((sum, index) => sum + (call.listed.entries[index]?.size ?? 0) + FRAME_BYTES, 0);
  if (size <= INLINE_BYTES) return { base64: (await buffer(files)).toString('base64') };
  const key = keyOf(call, 'files');
  await ports.objects.put(key, Readable.from(files, { objectMode: false }));
  return { url: await ports.signGet(key, SIGNED_SECONDS) };
}

/** Approximate bytes of a file's header in a pack. */
const FRAME_BYTES = 300;

function keyOf({ workspace, begun }: Call, name: 'stop' | 'files'): string {
  return `commands/${workspace}/${begun.id}/${name}`;
}

/**
 * Fetches and applies a result. A note remains for changes that arrive late, because S3 may not find an
 * object in the minutes after versioning was enabled (lib/queue/offload.ts).
 */
async function takeBack(
  ports: LambdaCommands,
  call: Call,
  root: string,
  { changed }: Done,
  keeper: ChangeKeeper | undefined,
): Promise<Applied & { isLate?: boolean }> {
  const key = resultKey(call.workspace, call.begun.id);
  const result = changed ? await ports.objects.get(key) : undefined;
  if (changed && result === undefined && !(await ports.objects.isDeleted(key)))
    return { undone: [], changed: [], isLate: true };
  // Another command may have applied and deleted the result, so this call doesn't know its paths.
  const applied = await (result === undefined
    ? { undone: [], changed: changed ? undefined : [] }
    : applyChanges(root, result.body, call.readOnly, keeper));
  if (changed) await ports.objects.delete(key);
  await call.begun.end();
  return applied;
}

const NOT_SEEN = 'Not available to commands';
const NOT_MADE = 'Not saved to the workspace';
const LATE =
  'The changes of this command are not saved yet: the next command saves them, if it comes within 25 minutes';

function describeEarlier({ finished, undone }: { finished: number; undone: string[] }): string[] {
  if (finished === 0) return [];
  return [
    `The changes of an earlier command were saved only now`,
    ...describe(`${NOT_MADE}, from the earlier command`, undone),
  ];
}

function describe(what: string, names: string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return [`${what}: ${names.slice(0, MAX_NAMED).join(', ')}${more}`];
}

function parse(text: string): z.infer<typeof commandAnswerSchema> {
  return commandAnswerSchema.parse(JSON.parse(text));
}

type Refused = Extract<z.infer<typeof commandAnswerSchema>, { refused: unknown }>['refused'];

function refusal({ message, code, field }: Refused): ServiceError {
  return serviceError(code, message, { field });
}

/** Returns the folder to copy, and the folder in it where the command starts. */
async function locate({ cwd, writable, mounts = [] }: Command) {
  const [root, ...others] = writable;
  if (root === undefined || others.length > 0)
    throw new InvalidInput(
      'invalid_value',
      'cwd must be in one directory: commands here run in one directory at a time.',
      { field: 'cwd' },
    );
  const real = await realCwd(cwd, [await unlinkedFolder(root)]);
  return {
    root,
    cwd: relative(root, real),
    mounts: mounts.filter(({ target }) => target !== root && isInside(root, target)),
  };
}
