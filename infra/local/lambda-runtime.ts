import { randomUUID } from 'node:crypto';
import { PassThrough, type Writable } from 'node:stream';
import { withTimeout } from '../../lib/async/with-timeout.ts';

/**
 * The part of Lambda's runtime that handlers rely on: the `awslambda` global with response streaming, a
 * context, and the function's time limit. Call installRuntime before any handler module is imported, because
 * middy reads the global when it loads.
 */
export type Handler = (event: unknown, ...rest: unknown[]) => unknown;

/** The output of a streaming handler, including the metadata prelude. */
export interface ResponseStream extends PassThrough {
  setContentType(type: string): void;
}

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');
const PRELUDE_TYPE = 'application/vnd.awslambda.http-integration-response';

/** Eight NUL bytes separate the prelude from the body. */
export const PRELUDE_DELIMITER = Buffer.alloc(8);

export function installRuntime(): void {
  const runtime = {
    streamifyResponse: (handler: Handler) => Object.assign(handler, { [STREAMING]: 'response' }),
    HttpResponseStream: { from: startResponse },
  };
  Object.assign(globalThis, { awslambda: runtime });
}

export function isStreaming(handler: Handler): boolean {
  return (handler as unknown as Record<symbol, unknown>)[STREAMING] === 'response';
}

/** Starts a response as AWS's runtime client does: the prelude is sent before the first chunk. */
function startResponse(stream: ResponseStream, prelude: unknown): Writable {
  stream.setContentType(PRELUDE_TYPE);
  stream.write(JSON.stringify(prelude));
  stream.write(PRELUDE_DELIMITER);
  return stream;
}

export function responseStream(): ResponseStream {
  return Object.assign(new PassThrough(), { setContentType: () => {} });
}

/**
 * Thrown when a function has exceeded its time limit. The gateway then answers 504, and a queue message is
 * retried.
 */
export class FunctionTimeout extends Error {
  constructor(milliseconds: number) {
    super(`The function took longer than ${milliseconds} ms.`);
    this.name = 'FunctionTimeout';
  }
}

/**
 * Calls a handler that returns a value; `toldMs` is the time limit that the handler sees. Throws the handler's errors,
 * and FunctionTimeout.
 */
export async function invoke(
  handler: Handler,
  event: unknown,
  timeoutMs: number,
  toldMs = timeoutMs,
): Promise<unknown> {
  return inTime(timeoutMs, () => handler(event, lambdaContext(toldMs)));
}

/** Calls a streaming handler; resolves when the handler is done with the stream. */
export async function invokeStreaming(
  handler: Handler,
  event: unknown,
  stream: ResponseStream,
  timeoutMs: number,
): Promise<void> {
  await inTime(timeoutMs, () => handler(event, stream, lambdaContext(timeoutMs)));
}

async function inTime(milliseconds: number, call: () => unknown): Promise<unknown> {
  const done = await withTimeout(milliseconds, async () => ({ value: await call() }));
  if (done === undefined) throw new FunctionTimeout(milliseconds);
  return done.value;
}

export function lambdaContext(timeoutMs: number) {
  const deadline = Date.now() + timeoutMs;
  return {
    awsRequestId: randomUUID(),
    callbackWaitsForEmptyEventLoop: false,
    functionVersion: '$LATEST',
    memoryLimitInMB: '512',
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}
