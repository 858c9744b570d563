import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { ServiceError } from '../../lib/errors.ts';
import { log } from '../../lib/log.ts';
import { gatewayError } from './gateway-error.ts';
import {
  type Handler,
  invokeStreaming,
  PRELUDE_DELIMITER,
  type ResponseStream,
  responseStream,
} from './lambda-runtime.ts';

/** API Gateway requires the delimiter within the first 16 KB. */
const MAX_PRELUDE = 16 * 1024;

interface Prelude {
  statusCode: number;
  headers?: Record<string, string>;
}

/**
 * Runs a streaming function and forwards its response as it arrives. The metadata prelude has the real wire format. A
 * client that leaves doesn't stop the function, because that raises no event on Lambda either; the rest is read and
 * dropped.
 */
export async function streamAnswer(
  handler: Handler,
  event: unknown,
  response: ServerResponse,
  timeoutMs: number,
): Promise<void> {
  const stream = responseStream();
  // The reader gets the error. Without a listener, the error would end the process.
  stream.on('error', () => {});
  invokeStreaming(handler, event, stream, timeoutMs).then(
    () => stream.end(),
    (error: unknown) => stream.destroy(error as Error),
  );
  try {
    const { prelude, rest } = await readPrelude(stream);
    writeHead(response, prelude);
    await passOn(rest, stream, response);
  } finally {
    // Otherwise, a function whose client has left would wait for a reader until its time limit.
    stream.resume();
  }
}

/** Throws the 502 that API Gateway returns for a status or header that can't be sent. */
function writeHead(response: ServerResponse, { statusCode, headers }: Prelude): void {
  try {
    response.writeHead(statusCode, headers);
  } catch (error) {
    throw new ServiceError('function_failed', 'The function returned an invalid response.', { cause: error });
  }
  response.flushHeaders();
}

/** Reads up to the delimiter; bytes after it start the body. */
async function readPrelude(stream: ResponseStream): Promise<{ prelude: Prelude; rest: Buffer }> {
  let head = Buffer.alloc(0);
  for (;;) {
    const end = head.indexOf(PRELUDE_DELIMITER);
    if (end >= 0 && end + PRELUDE_DELIMITER.length <= MAX_PRELUDE) {
      return {
        prelude: parsePrelude(head.subarray(0, end)),
        rest: head.subarray(end + PRELUDE_DELIMITER.length),
      };
    }
    if (head.length >= MAX_PRELUDE)
      throw new ServiceError('function_failed', 'The function returned an invalid response.');
    head = Buffer.concat([head, await nextChunk(stream)]);
  }
}

async function nextChunk(stream: ResponseStream): Promise<Buffer> {
  for (;;) {
    const chunk = stream.read() as Buffer | null;
    if (chunk !== null) return chunk;
    if (stream.errored) gatewayError(stream.errored);
    if (stream.readableEnded || stream.destroyed)
      throw new ServiceError('function_failed', 'The function failed.');
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
    throw new ServiceError('function_failed', 'The function returned an invalid response.', { cause: error });
  }
}

async function passOn(first: Buffer, stream: ResponseStream, response: ServerResponse): Promise<void> {
  if (response.destroyed) return; // The client left before the first byte, so `close` was already emitted.
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
