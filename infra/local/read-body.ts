import { on } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { joinPieces } from '../../lib/async/join-pieces.ts';
import { ServiceError, TooLarge } from '../../lib/errors.ts';
import type { Holding } from './body-memory.ts';

/** API Gateway's request limit in bytes. */
const MAX_REQUEST = 10 * 1024 * 1024;

/** Checks the length that the head announces. Throws TooLarge. */
export function checkAnnouncedLength({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > MAX_REQUEST) throw requestTooLarge();
}

/**
 * Requests the body. A client that waits for permission (`Expect: 100-continue`) sends the body only now, and
 * never after a rejection.
 */
export function askForBody({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined) response.writeContinue();
}

/**
 * Returns the whole body, or null for a request without a body. Throws TooLarge, 408 for a slow client, and 503
 * if memory is short. Doesn't destroy the request, because a rejected client must still get its response.
 */
export async function readBody(
  request: IncomingMessage,
  { take }: Holding,
  timeoutMs: number,
): Promise<Buffer | null> {
  if (request.destroyed) throw brokenOff();
  const signal = AbortSignal.timeout(timeoutMs);
  const pieces = joinPieces(MAX_REQUEST, requestTooLarge);
  try {
    for await (const [chunk] of on(request, 'data', { signal, close: ['end', 'close'] })) {
      pieces.add(chunk as Buffer);
      take((chunk as Buffer).length);
    }
  } catch (error) {
    throw signal.aborted ? tooSlow(timeoutMs) : error;
  }
  if (!request.readableEnded) throw brokenOff();
  const body = pieces.whole();
  return body.length === 0 ? null : body;
}

/**
 * Names the limit of the function's event, which applies to every request, not the gateway's higher limit.
 */
export function requestTooLarge(): TooLarge {
  return new TooLarge(
    'body_too_large',
    'A request and its headers can have at most 6 MB, which is 4.5 MB of a file. Upload larger files through POST /api/files/uploads.',
  );
}

function tooSlow(timeoutMs: number): ServiceError {
  return new ServiceError('body_timeout', `The body did not arrive within ${timeoutMs / 1000} s.`);
}

/** The client has disconnected, so this response is never read. */
function brokenOff(): ServiceError {
  return new ServiceError('request_broken_off', 'The request was cut off.');
}
