import { parentPort } from 'node:worker_threads';
import { readConfig } from '../../lib/config.ts';
import { setLogLevel } from '../../lib/log.ts';
import { type Handler, installRuntime, lambdaContext } from './lambda-runtime.ts';

/** A function call, from the pool to its thread. */
export interface ThreadCall {
  id: number;
  /** File URL of the built handler. */
  module: string;
  event: unknown;
  /** The time limit that the handler sees, in milliseconds. */
  toldMs: number;
}

export type ThreadAnswer = { id: number; result: unknown } | { id: number; error: string };

/**
 * The thread's side of the pool (worker-pool.ts): imports a handler once, calls it, and returns its result. The pool
 * enforces the time limit: an abandoned handler would run at the same time as its retry.
 */
installRuntime();
setLogLevel(readConfig().logLevel);
parentPort?.on('message', (call: ThreadCall) => {
  void run(call).then((answer) => parentPort?.postMessage(answer));
});

async function run({ id, module, event, toldMs }: ThreadCall): Promise<ThreadAnswer> {
  try {
    const { handler } = (await import(module)) as { handler: Handler };
    return { id, result: await handler(event, lambdaContext(toldMs)) };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
