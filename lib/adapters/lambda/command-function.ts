import { join, relative } from 'node:path';
import { Conflict, NotConfigured, ServiceError, UpstreamFailed } from '../../errors.ts';
import { errorDetails } from '../../known-error.ts';
import type { CommandResult, Commands } from '../../ports/commands.ts';
import {
  type CommandAnswer,
  type CommandMessage,
  commandMessageSchema,
  unpackList,
} from './command-message.ts';
import type { Mirror } from './mirror.ts';
import { sendChanges } from './send-changes.ts';
import { getSigned, watchStopped } from './signed-transfer.ts';

export interface CommandEnvironment {
  commands: Commands;
  mirror: Mirror;
  /** The folder for temporary packs. No earlier command is still running. */
  folder: string;
  /** Ends processes that a command left running, and removes its files outside the mirror. */
  cleanUp(): Promise<void>;
  /**
   * True if workspaces may share an instance one after another, because a sandbox separates them or an
   * administrator allowed it.
   */
  shared: boolean;
  lookEveryMs?: number;
}

/** Lambda's data about an invocation. */
export interface InvocationContext {
  /** The tenant of this environment, if the function has an environment per tenant. */
  tenantId?: string | undefined;
}

const NOT_ISOLATED =
  'The commands function was deployed without one environment per workspace. Deploy it again, in a region with tenant isolation.';

/**
 * The function that lambdaCommands calls. It sees only its mirror of one workspace's files, and has no
 * permissions; input and output are transferred through signed URLs. It ends a command whose caller no longer
 * waits.
 */
export function commandFunction(
  environment: CommandEnvironment,
): (event: unknown, context: InvocationContext) => Promise<CommandAnswer> {
  let latest: string | undefined;
  return async (event, context) => {
    const message = commandMessageSchema.parse(event);
    try {
      requireIsolation(environment, message, context);
      if (latest !== message.workspace) await environment.mirror.empty();
      latest = message.workspace;
      return await serve(environment, message);
    } catch (error) {
      // The mirror may have changed in an unknown way.
      latest = undefined;
      if (!(error instanceof ServiceError) || error instanceof UpstreamFailed) throw error;
      return { refused: { status: error.status, message: error.message, ...errorDetails(error) } };
    }
  };
}

function requireIsolation(
  { shared }: CommandEnvironment,
  { workspace }: CommandMessage,
  { tenantId }: InvocationContext,
): void {
  if (tenantId === workspace || (tenantId === undefined && shared)) return;
  throw new NotConfigured('command_sandbox_missing', NOT_ISOLATED);
}

async function serve(environment: CommandEnvironment, message: CommandMessage): Promise<CommandAnswer> {
  const { mirror } = environment;
  const entries = unpackList(message.list);
  const first = await mirror.conform(entries);
  if (first.length > 0 && message.pack === undefined) return { lacks: first };
  if (message.pack !== undefined) {
    const gone = new Set(await mirror.fill(entries, bytesOf(message.pack)));
    const lacks = (await mirror.conform(entries)).filter((index) => !gone.has(index));
    if (lacks.length > 0) return { lacks };
  }
  return runAndSend(environment, message);
}

async function* bytesOf(pack: NonNullable<CommandMessage['pack']>): AsyncGenerator<Uint8Array> {
  if ('url' in pack) yield* getSigned(pack.url);
  else yield Buffer.from(pack.base64, 'base64');
}

async function runAndSend(environment: CommandEnvironment, message: CommandMessage): Promise<CommandAnswer> {
  const { mirror, folder, cleanUp } = environment;
  const outcome = await run(environment, message).finally(cleanUp);
  const changed = await sendChanges(mirror, { ...message, folder });
  if (outcome instanceof ServiceError) throw outcome;
  return {
    ...outcome,
    stdout: Buffer.from(outcome.stdout).toString('base64'),
    stderr: Buffer.from(outcome.stderr).toString('base64'),
    cwd: relative(mirror.root, outcome.cwd),
    changed,
  };
}

/**
 * Runs a command. A command that was stopped still returns its changes, so a refusal is a response, not an
 * error.
 */
async function run(
  { commands, mirror, lookEveryMs }: CommandEnvironment,
  { script, cwd, timeoutMs, maxOutputBytes, stopped }: CommandMessage,
): Promise<CommandResult | ServiceError> {
  const stop = new AbortController();
  const endWatch = watchStopped(
    stopped,
    () => stop.abort(new Conflict('command_stopped', 'The command was stopped.')),
    lookEveryMs,
  );
  const place = { cwd: join(mirror.root, cwd), writable: [mirror.root] };
  try {
    return await commands.run({ script, ...place, timeoutMs, maxOutputBytes, signal: stop.signal });
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  } finally {
    endWatch();
  }
}
