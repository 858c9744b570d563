import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { ServiceError } from '../../lib/errors.ts';
import { log } from '../../lib/log.ts';
import {
  FunctionTimeout,
  type Handler,
  invokeStreaming,
  PRELUDE_DELIMITER,
  type ResponseStream,
  responseStream,
} from './lambda-runtime.ts';

/** API Gateway wants the delimiter within the first 16 KB. */
const MAX_PRELUDE = 16 * 1024;

interface Prelude {
  statusCode: number;
  headers?: Record<string, string>;
}

/**
 * Runs a streaming function and passes on its response as it comes. The metadata prelude is the real wire format.
 * A client that goes away does not stop the function: it raises no event on Lambda either, so the rest is read and dropped.
 */
export async function streamAnswer(
  handler: Handler,
  event: unknown,
  response: ServerResponse,
  timeoutMs: number,
): Promise<void> {
  const stream = responseStream();
  const running = invokeStreaming(handler, event, stream, timeoutMs);
  running.catch((error: unknown) => stream.destroy(error as Error));
  const { prelude, rest } = await readPrelude(stream);
  response.writeHead(prelude.statusCode, prelude.headers);
  response.flushHeaders();
  await passOn(rest, stream, response);
}

/** Reads up to the delimiter; what was read beyond it is the first of the body. */
async function readPrelude(stream: ResponseStream): Promise<{ prelude: Prelude; rest: Buffer }> {
  let head = Buffer.alloc(0);
  for (;;) {
    const end = head.indexOf(PRELUDE_DELIMITER);
    if (end >= 0) {
      return {
        prelude: parsePrelude(head.subarray(0, end)),
        rest: head.subarray(end + PRELUDE_DELIMITER.length),
      };
    }
    if (head.length > MAX_PRELUDE) throw new ServiceError(502, 'the function gave no valid answer');
    head = Buffer.concat([head, await nextChunk(stream)]);
  }
}

function failureOf(cause: Error | null): ServiceError {
  if (cause instanceof FunctionTimeout) return new ServiceError(504, 'the request took too long');
  return new ServiceError(502, 'the function failed', { cause });
}

async function nextChunk(stream: ResponseStream): Promise<Buffer> {
  for (;;) {
    const chunk = stream.read() as Buffer | null;
    if (chunk !== null) return chunk;
    if (stream.readableEnded || stream.destroyed) throw failureOf(stream.errored);
    await new Promise<void>((resolve) => {
      const wake = () => {
        for (const name of ['readable', 'end', 'close', 'error']) stream.off(name, wake);
        resolve();
      };
      for (const name of ['readable', 'end', 'close', 'error']) stream.on(name, wake);
    });
  }
}

function parsePrelude(bytes: Buffer): Prelude {
  try {
    return JSON.parse(bytes.toString()) as Prelude;
  } catch (error) {
    throw new ServiceError(502, 'the function gave no valid answer', { cause: error });
  }
}

async function passOn(first: Buffer, stream: ResponseStream, response: ServerResponse): Promise<void> {
  if (first.length > 0) response.write(first);
  response.once('close', () => {
    stream.unpipe(response);
    stream.resume();
  });
  stream.pipe(response);
  try {
    await finished(stream);
  } catch (error) {
    log.warn('a response stream broke', { reason: (error as Error).message });
    response.destroy();
  }
}
