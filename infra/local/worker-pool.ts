import { Worker } from 'node:worker_threads';
import { FunctionTimeout } from './lambda-runtime.ts';
import type { ThreadAnswer, ThreadCall } from './worker-thread.ts';

/** MB that a thread's heap may grow to, so that a runaway extraction ends only its own thread. */
const MAX_HEAP_MB = 1024;
const MAX_YOUNG_MB = 16;
/** Milliseconds; an idle thread ends, like an idle sandbox, and frees about 60 MB. */
const IDLE_MS = 10_000;

interface Thread {
  worker: Worker;
  /** Number of calls in progress. */
  calls: number;
  /** Modules that the thread has loaded; calls to them prefer the thread. */
  modules: Set<string>;
  idle?: NodeJS.Timeout;
}

interface TimeLimit {
  /** Milliseconds after which the thread is ended. */
  timeoutMs: number;
  /** The time limit that the handler sees, in milliseconds. */
  toldMs: number;
}

export interface WorkerPool {
  /**
   * Calls a function's built handler in a thread. Throws FunctionTimeout, or an error if the handler threw or the
   * thread died.
   */
  run(module: string, event: unknown, limit: TimeLimit): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Threads that correspond to Lambda's sandboxes, so that extraction, hashing, and indexing never block the
 * thread that handles requests. Threads start on demand. Work that mostly waits shares a thread, with at most
 * `callsAtOnce` calls.
 */
export function createWorkerPool(entry: URL, size: number, callsAtOnce = 1): WorkerPool {
  const crew = createCrew(entry, size, callsAtOnce);
  let calls = 0;
  return {
    async run(module, event, limit) {
      const thread = await crew.acquire(module);
      const answer = await callThread(thread.worker, { id: ++calls, module, event, ...limit })
        .catch((error: unknown) => {
          crew.discard(thread);
          throw error;
        })
        .finally(() => crew.release(thread));
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    },
    close: crew.close,
  };
}

/** Tracks the threads, their calls, and the callers that wait for one. */
function createCrew(entry: URL, size: number, callsAtOnce: number) {
  const threads = new Set<Thread>();
  const waiting: (() => void)[] = [];
  // Removes the thread now, because its exit event comes later, and it must not be chosen again before that.
  const discard = (thread: Thread) => {
    threads.delete(thread);
    void thread.worker.terminate();
  };
  return {
    discard,
    async acquire(module: string): Promise<Thread> {
      for (;;) {
        const thread =
          chooseThread(threads, module, threads.size < size ? 1 : callsAtOnce) ??
          (threads.size < size ? startThread(entry, threads) : undefined);
        if (thread !== undefined) {
          thread.calls += 1;
          clearTimeout(thread.idle);
          thread.modules.add(module);
          return thread;
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    release(thread: Thread) {
      thread.calls -= 1;
      if (thread.calls === 0) thread.idle = setTimeout(discard, IDLE_MS, thread).unref();
      waiting.shift()?.();
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

/** Adds a new thread to the set, for as long as it lives. */
function startThread(entry: URL, threads: Set<Thread>): Thread {
  const worker = new Worker(entry, {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  });
  const thread: Thread = { worker, calls: 0, modules: new Set() };
  // The exit event alone comes too late, because a dying thread must not be chosen again.
  worker.once('exit', () => threads.delete(thread));
  worker.on('error', () => threads.delete(thread)); // The caller gets the error.
  threads.add(thread);
  return thread;
}

/** Returns the least busy thread among those that can take a call. */
function chooseThread(threads: Set<Thread>, module: string, callsAtOnce: number): Thread | undefined {
  const free = [...threads].filter(({ calls }) => calls < callsAtOnce).sort((a, b) => a.calls - b.calls);
  return free.find(({ modules }) => modules.has(module)) ?? free[0];
}

/** Calls the handler. Ends the thread of a handler that exceeds its time limit, because nothing else stops a loop. */
async function callThread(worker: Worker, call: ThreadCall & TimeLimit): Promise<ThreadAnswer> {
  return new Promise<ThreadAnswer>((resolve, reject) => {
    const onMessage = (message: ThreadAnswer) => message.id === call.id && settle(() => resolve(message));
    const onDeath = (reason: unknown) =>
      settle(() => reject(new Error(`The worker thread died: ${String(reason)}`)));
    const timer = setTimeout(() => settle(() => reject(new FunctionTimeout(call.timeoutMs))), call.timeoutMs);
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onDeath).off('exit', onDeath);
      finish();
    };
    worker.on('message', onMessage).on('error', onDeath).on('exit', onDeath);
    worker.postMessage(call);
  });
}
