import { setImmediate as nextTurn } from 'node:timers/promises';
import { shareThread } from '../../async/share-thread.ts';
import { UpstreamFailed } from '../../errors.ts';
import { isBoundedJson } from '../../validation/bounded-json.ts';

export interface AnswerLimits {
  /** The service's name in errors: `OpenAI`. */
  who: string;
  /** Creates the error; by default one for models. */
  failure?: (message: string) => UpstreamFailed;
  /** Maximum bytes of the whole response, decompressed. */
  maxBytes?: number;
  /** Maximum values of a JSON response; by default that of request bodies. */
  maxValues?: number;
}

const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const MAX_JSON_BYTES = 12 * 1024 * 1024;
/** Maximum bytes of an event. No model writes this much between two pauses. */
const MAX_EVENT_BYTES = 1024 * 1024;
/** In bytes. Shorter events can't contain enough values to block the event loop. */
const UNCHECKED_BYTES = 16 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Returns a response with the same contents. It fails before its reader parses anything that would block the
 * event loop: too many bytes, an event with too many bytes, or JSON beyond the limits of request bodies.
 * Works for event streams and for a single JSON text.
 */
export function boundedAnswer(response: Response, limits: AnswerLimits): Response {
  if (response.body === null) return response;
  const share = shareThread();
  let check: Check | undefined;
  let { maxBytes = MAX_JSON_BYTES } = limits;
  let bytes = 0;
  const checker = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await share();
      if (check === undefined) {
        const isStream = isEventStream(response, chunk);
        if (isStream) maxBytes = limits.maxBytes ?? MAX_STREAM_BYTES;
        check = isStream ? checkEvents(limits) : checkWhole(limits);
      }
      bytes += chunk.length;
      if (bytes > maxBytes) throw unusable(limits);
      check.take(chunk);
      controller.enqueue(chunk);
    },
    async flush() {
      check?.end();
      await nextTurn(); // now the reader parses the event
    },
  });
  return new Response(response.body.pipeThrough(checker), response);
}

const FIELDS = ['data:', 'event:', 'id:', 'retry:', ':'];

/**
 * Returns whether a response is an event stream, judging by its first bytes if possible: servers send streams
 * as plain text or JSON, and errors as streams.
 */
export function isEventStream({ headers }: Response, first: Uint8Array = new Uint8Array()): boolean {
  const type = headers.get('content-type') ?? '';
  const start = Buffer.from(first.subarray(0, 40))
    .toString()
    .replace(/^[\ufeff\s]+/, '');
  if (start === '') return !/^(?:text\/html|application\/json)\b/i.test(type);
  if (/^[{[<]/.test(start)) return false;
  const isField = FIELDS.some((field) => start.startsWith(field) || field.startsWith(start));
  return isField || /^text\/event-stream\b/i.test(type);
}

function unusable({ who, failure = ofModel }: AnswerLimits): UpstreamFailed {
  return failure(`${who} returned more than can be read.`);
}

function ofModel(message: string): UpstreamFailed {
  return new UpstreamFailed('model_answer_unusable', `${message} Try again, or choose another model.`);
}

interface Check {
  /** Counts a chunk. Throws UpstreamFailed. */
  take(chunk: Uint8Array): void;
  /** Checks the end. Throws UpstreamFailed. */
  end(): void;
}

function checkWhole(limits: AnswerLimits): Check {
  const chunks: Uint8Array[] = [];
  return {
    take: (chunk) => void chunks.push(chunk),
    end() {
      if (!isBoundedJson(Buffer.concat(chunks).toString(), limits.maxValues)) throw unusable(limits);
    },
  };
}

function checkEvents(limits: AnswerLimits): Check {
  const endsEvent = findEventEnds();
  let parts: Uint8Array[] = [];
  let bytes = 0;

  const add = (part: Uint8Array) => {
    bytes += part.length;
    if (bytes > MAX_EVENT_BYTES) throw unusable(limits);
    parts.push(part);
  };
  const endEvent = () => {
    const isShort = bytes <= UNCHECKED_BYTES;
    if (!isShort && !isBoundedJson(Buffer.concat(parts).toString())) throw unusable(limits);
    parts = [];
    bytes = 0;
  };
  return {
    take(chunk) {
      let start = 0;
      for (let at = 0; at < chunk.length; at++) {
        if (!endsEvent(chunk[at])) continue;
        add(chunk.subarray(start, at));
        endEvent();
        start = at;
      }
      add(chunk.subarray(start));
    },
    end: endEvent,
  };
}

/**
 * Returns a function that reports whether a byte ends an event, as an empty line does. Lines end with CR, LF,
 * or both.
 */
function findEventEnds(): (byte: number | undefined) => boolean {
  let before: number | undefined;
  let isLineEmpty = true;
  return (byte) => {
    const isSecondHalf = byte === LINE_FEED && before === CARRIAGE_RETURN;
    const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    const wasEmpty = isLineEmpty;
    before = byte;
    if (!isSecondHalf) isLineEmpty = isLineEnd;
    return isLineEnd && !isSecondHalf && wasEmpty;
  };
}
