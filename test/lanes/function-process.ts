import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { peakMegabytes } from '../support/processes/process-memory.ts';
import { coresOf, type EnvironmentGroup, makeEnvironmentGroup } from './environment-group.ts';
import type { Invocation } from './invocation.ts';
import { startRuntimeApi } from './runtime-api.ts';
import { installRuntimeClient } from './servers/runtime-client.ts';

/** A function as unpacked in Lambda. */
export interface FunctionSource {
  name: string;
  /** The folder that replaces /var/task. */
  folder: string;
  /** `functions/chat/handler.handler`. */
  handler: string;
  memoryMb: number;
  env: Record<string, string>;
  /** A command that runs the program after it, in its own process. */
  launcher?: string[];
}

export interface StartOptions {
  /**
   * Started with Lambda's limits, as far as this host can set them (environment-group.ts), and frozen between
   * invocations.
   */
  limited?: boolean;
}

export interface InvokeOptions {
  /** The function's timeout. */
  timeoutMs?: number;
  /** Called with each chunk of a stream, as it arrives. */
  onText?: ((text: string) => void) | undefined;
}

export interface FunctionProcess {
  /**
   * Time from the start of the process to its first request for an event, which Lambda reports as init
   * duration.
   */
  initMs: number;
  /** Throws if the function exceeds its timeout. Its process has then ended, as on Lambda. */
  invoke(event: unknown, options?: InvokeOptions): Promise<Invocation>;
  /** Returns its peak memory. */
  maxRssMb(): number;
  /** Returns the milliseconds in which its processor time was throttled; 0 without limits. */
  throttledMs(): number;
  /** Resolves when it's frozen, or would be, because all its work after the response is done. */
  idle(): Promise<void>;
  /** Pauses it while it works, like a stalled host; needs limits. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Returns false after it has ended. The next event then needs a new environment. */
  isRunning(): boolean;
  /** Returns its complete log. */
  output(): string;
  stop(): Promise<void>;
}

const INIT_TIMEOUT_MS = 30_000;
const TIMEOUT_MS = 60_000;
/**
 * "On-demand Lambda functions use a full vCPU (non-throttled) but is limited to 10 seconds during its initialization phase":
 * https://serverlessland.com/content/service/lambda/guides/effectively-running-java-on-serverless/init-heavy-lifting
 */
const INIT = { cores: 1, ms: 10_000 };
/** Enters the groups before it becomes the function. */
const ENTER = 'for file in $ENTRANCES; do echo $$ > "$file"; done; unset ENTRANCES; exec "$@"';

/**
 * Starts one instance of a function in AWS's own runtime client, as a separate process. Throws with its log
 * if it can't start.
 */
export async function startFunction(
  source: FunctionSource,
  { limited = false }: StartOptions = {},
): Promise<FunctionProcess> {
  const [program, api] = await Promise.all([installRuntimeClient(), startRuntimeApi(source.name)]);
  const group = limited ? makeEnvironmentGroup(source.memoryMb) : undefined;
  const limitCores = () => group?.setCores(coresOf(source.memoryMb));
  group?.setCores(Math.max(INIT.cores, coresOf(source.memoryMb)));
  const started = performance.now();
  const command = [...(source.launcher ?? []), process.execPath, heapLimit(source), program];
  const child = spawnIn(group, command, {
    cwd: source.folder,
    env: lambdaEnvironment(source, api.address),
  });
  const initEnds = setTimeout(limitCores, INIT.ms);
  const output = collectOutput(child);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const end = async () => {
    clearTimeout(initEnds);
    await group?.remove();
    if (child.kill('SIGKILL')) await once(child, 'exit');
    api.close();
  };
  let ended: Promise<void> | undefined;
  const stop = () => {
    ended ??= end();
    return ended;
  };
  const gone = once(child, 'exit').then(([code, signal]) => {
    const why = ended === undefined && group && group.memoryKills() > 0 ? ', out of memory' : '';
    throw new Error(`${source.name} ended (${code ?? signal}${why}):\n${output()}`);
  });
  gone.catch(() => {}); // reported to the caller of the function
  try {
    await Promise.race([api.ready, gone, limit(INIT_TIMEOUT_MS)]);
  } catch (error) {
    await stop();
    throw new Error(`${source.name} did not start: ${(error as Error).message}\n${output()}`);
  }
  const initMs = performance.now() - started;
  clearTimeout(initEnds);
  limitCores();
  const rest = async () => {
    await Promise.race([api.idle(), gone]);
    if (ended === undefined) await group?.freeze();
  };
  let resting = rest();
  resting.catch(() => {}); // reported to the next caller
  return {
    initMs,
    async invoke(event, { timeoutMs = TIMEOUT_MS, onText } = {}) {
      await resting;
      group?.thaw();
      const outcome = Promise.race([api.handOver(event, timeoutMs, onText), gone, limit(timeoutMs)]);
      outcome.then(
        () => {
          resting = rest();
          resting.catch(() => {}); // reported to the next caller
        },
        () => {},
      );
      return outcome.catch(async (error: unknown) => {
        await stop();
        throw error;
      });
    },
    maxRssMb: () => Math.round(peakMegabytes(child.pid ?? 0)),
    throttledMs: () => group?.throttledMs() ?? 0,
    idle: () => resting,
    freeze: async () => group?.freeze(),
    thaw: () => group?.thaw(),
    isRunning,
    output,
    stop,
  };
}

function spawnIn(
  group: EnvironmentGroup | undefined,
  [program = '', ...args]: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): ChildProcess {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  if (group === undefined) return spawn(program, args, { cwd, env, stdio: [...stdio] });
  const ENTRANCES = group.entrances.join(' ');
  const command = ['-c', ENTER, 'sh', program, ...args];
  return spawn('/bin/sh', command, { cwd, env: { ...env, ENTRANCES }, stdio: [...stdio] });
}

async function limit(timeoutMs: number): Promise<never> {
  await sleep(timeoutMs, undefined, { ref: false });
  throw new Error(`timed out after ${timeoutMs} ms`);
}

/** Lambda's bootstrap reserves a tenth of the function's memory outside of the heap. */
function heapLimit({ memoryMb }: FunctionSource): string {
  return `--max-old-space-size=${Math.floor(memoryMb * 0.9)}`;
}

/** Lambda's own variables, and the function's. The test's environment isn't inherited. */
function lambdaEnvironment({ name, folder, handler, memoryMb, env }: FunctionSource, api: string) {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    LAMBDA_TASK_ROOT: folder,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_RUNTIME_API: api,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'test',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    ...env,
    _HANDLER: handler,
  };
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}
