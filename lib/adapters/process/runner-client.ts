import type { ChildProcess } from 'node:child_process';
import { findOwnFile } from '../../isolation/folders-above.ts';
import { forkApart } from './fork-apart.ts';
import type { Launch } from './launch.ts';
import { type GroupLimits, type GroupResult, type RunGroup, runGroup } from './process-group.ts';

export type RunnerRequest =
  | {
      id: number;
      launch: Launch;
      limits: Omit<GroupLimits, 'signal' | 'onOutput' | 'onText'>;
      isLive: boolean;
    }
  | { abort: number };
export type RunnerReply = { id: number } & ({ result: GroupResult } | { error: string } | { text: string });

interface Waiting {
  resolve(result: GroupResult): void;
  reject(error: Error): void;
  onText: GroupLimits['onText'];
}

/** The runner, built or from source, which is always present on a single host. */
const RUNNER = findOwnFile(
  import.meta.dirname,
  'lib/adapters/process/runner.mjs',
  'lib/adapters/process/runner.ts',
);

const waiting = new Map<number, Waiting>();
let runner: ChildProcess | undefined;
let latestId = 0;

/**
 * Starts programs. Starting one copies the parent's page tables and pauses the parent, for 20 ms in a service
 * of 300 MB. So a small separate process starts them, without any of the service's variables in its
 * environment.
 */
export const startGroup: RunGroup = RUNNER === undefined ? runGroup : runElsewhere;

async function runElsewhere(
  launch: Launch,
  { timeoutMs, maxOutputBytes, bounds, signal, onText }: GroupLimits,
): Promise<GroupResult> {
  signal?.throwIfAborted();
  const id = ++latestId;
  const process = openRunner();
  const abort = () => process.connected && process.send({ abort: id } satisfies RunnerRequest);
  signal?.addEventListener('abort', abort);
  try {
    return await new Promise<GroupResult>((resolve, reject) => {
      waiting.set(id, { resolve, reject, onText });
      const limits = { timeoutMs, maxOutputBytes, bounds };
      process.send({ id, launch, limits, isLive: onText !== undefined } satisfies RunnerRequest);
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    waiting.delete(id);
    if (waiting.size === 0) process.channel?.unref();
  }
}

/** Starts the runner. It ends with this process, and keeps it alive only while a command runs. */
function openRunner(): ChildProcess {
  runner ??= startRunner();
  runner.channel?.ref();
  return runner;
}

function startRunner(): ChildProcess {
  const started = forkApart(RUNNER ?? '', failAll);
  started.on('message', (reply: RunnerReply) => {
    const call = waiting.get(reply.id);
    if ('text' in reply) call?.onText?.(reply.text);
    else if ('result' in reply) call?.resolve(reply.result);
    else call?.reject(new Error(reply.error));
  });
  return started;
}

/** Fails all running commands; the next command starts another runner. */
function failAll(ended: ChildProcess): void {
  if (runner !== ended) return;
  runner = undefined;
  for (const { reject } of waiting.values()) reject(new Error('The process that runs commands ended.'));
}
