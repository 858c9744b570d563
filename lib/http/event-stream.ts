import { Readable } from 'node:stream';
import { ServiceError } from '../errors.ts';
import { log } from '../log.ts';

/** The UI message stream protocol, version 1 (reference/protocols.md section 8): server-sent events. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
  'x-vercel-ai-ui-message-stream': 'v1',
};

/** Clients end at a type they do not know: anything of our own is `data-<name>`. */
export type StreamPart =
  | { type: 'start'; messageId?: string; messageMetadata?: unknown }
  | { type: 'start-step' | 'finish-step' }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; toolCallId: string; toolName: string }
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | { type: 'tool-input-available'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-input-error'; toolCallId: string; toolName: string; input: unknown; errorText: string }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'tool-output-denied'; toolCallId: string }
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string; filename?: string }
  | { type: `data-${string}`; id?: string; data: unknown; transient?: boolean }
  | { type: 'finish'; finishReason?: string; messageMetadata?: unknown }
  | { type: 'abort'; reason?: string }
  | { type: 'error'; errorText: string };

export const HEARTBEAT_MS = 15_000;
const END = 'data: [DONE]\n\n';

/** One part with its number in the stream, from 1. */
export function eventFrame(id: number, part: StreamPart): string {
  return `id: ${id}\ndata: ${JSON.stringify(part)}\n\n`;
}

/** What a failure is called to the client; what is not meant for it goes into the log alone. */
export function errorPart(error: unknown): StreamPart {
  const known = error instanceof ServiceError;
  log.error('a stream failed', {}, error);
  return { type: 'error', errorText: known ? error.message : 'internal error' };
}

/**
 * Parts as the bytes of a response. A part is asked for only when the client has room; an exception becomes an `error`
 * part; the last frame is always `[DONE]`. When the stream is destroyed the signal is aborted.
 */
export function eventStream(
  start: (signal: AbortSignal) => AsyncIterable<StreamPart>,
  { heartbeatMs = HEARTBEAT_MS } = {},
): Readable {
  const controller = new AbortController();
  const parts = start(controller.signal)[Symbol.asyncIterator]();
  let id = 0;
  let asking = false;
  const heartbeat = setInterval(() => {
    if (asking) stream.push(': still here\n\n');
  }, heartbeatMs);

  async function pass(): Promise<void> {
    const next = await parts.next();
    asking = false;
    if (!next.done) {
      stream.push(eventFrame(++id, next.value));
      return;
    }
    end();
  }
  function end() {
    clearInterval(heartbeat);
    stream.push(END);
    stream.push(null);
  }
  const stream: Readable = new Readable({
    read() {
      if (asking) return;
      asking = true;
      pass().catch((error: unknown) => {
        if (stream.destroyed) return;
        stream.push(eventFrame(++id, errorPart(error)));
        end();
      });
    },
    destroy(error, done) {
      clearInterval(heartbeat);
      controller.abort();
      // Not awaited: a part that is under way may take its time to notice.
      parts.return?.().catch(() => undefined);
      done(error);
    },
  });
  return stream;
}
