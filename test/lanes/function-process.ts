import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { peakMegabytes } from '../support/processes/process-memory.ts';
import type { Invocation } from './invocation.ts';
import { startRuntimeApi } from './runtime-api.ts';
import { installRuntimeClient } from './servers/runtime-client.ts';

/** A function as unpacked in Lambda. */
export interface FunctionSource {
  name: string;
  /** What is /var/task there. */
  folder: string;
  /** `functions/chat/handler.handler`. */
  handler: string;
  memoryMb: number;
  env: Record<string, string>;
  /** A command that runs the program after it, in its own process. */
  launcher?: string[];
}

export interface InvokeOptions {
  timeoutMs?: number;
  /** Hears what a stream brings, as it comes. */
  onText?: ((text: string) => void) | undefined;
}

export interface FunctionProcess {
  /** The time from the start of the process to its first call for an event: what Lambda reports as init duration. */
  initMs: number;
  /** Throws when the function takes longer; its process is then gone, as on Lambda. */
  invoke(event: unknown, options?: InvokeOptions): Promise<Invocation>;
  /** The most memory that it ever held. */
  maxRssMb(): number;
  /** Everything that it logged. */
  output(): string;
  stop(): Promise<void>;
}

const INIT_TIMEOUT_MS = 30_000;
const TIMEOUT_MS = 60_000;

/** One instance of a function in AWS's own runtime client, a process of its own. Throws with its log when it cannot start. */
export async function startFunction(source: FunctionSource): Promise<FunctionProcess> {
  const [program, api] = await Promise.all([installRuntimeClient(), startRuntimeApi(source.name)]);
  const started = performance.now();
  const [command = '', ...args] = [...(source.launcher ?? []), process.execPath, heapLimit(source), program];
  const child = spawn(command, args, {
    cwd: source.folder,
    env: lambdaEnvironment(source, api.address),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'exit');
    api.close();
  };
  const gone = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${source.name} ended (${code ?? signal}):\n${output()}`);
  });
  gone.catch(() => {}); // reported to the caller of the function
  try {
    await Promise.race([api.ready, gone, limit(INIT_TIMEOUT_MS)]);
  } catch (error) {
    await stop();
    throw new Error(`${source.name} did not start: ${(error as Error).message}\n${output()}`);
  }
  return {
    initMs: performance.now() - started,
    async invoke(event, { timeoutMs = TIMEOUT_MS, onText } = {}) {
      const outcome = Promise.race([api.handOver(event, timeoutMs, onText), gone, limit(timeoutMs)]);
      return outcome.catch(async (error: unknown) => {
        await stop();
        throw error;
      });
    },
    maxRssMb: () => Math.round(peakMegabytes(child.pid ?? 0)),
    output,
    stop,
  };
}

async function limit(timeoutMs: number): Promise<never> {
  await sleep(timeoutMs, undefined, { ref: false });
  throw new Error(`timed out after ${timeoutMs} ms`);
}

/** Lambda's bootstrap leaves a tenth of the function's memory to what is not the heap. */
function heapLimit({ memoryMb }: FunctionSource): string {
  return `--max-old-space-size=${Math.floor(memoryMb * 0.9)}`;
}

/** Lambda's own variables, and the function's. Nothing of the environment of the tests reaches it. */
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
