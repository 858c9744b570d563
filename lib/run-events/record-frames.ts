import type { StreamPart } from '../api-contract/stream-part.ts';
import { expiryAfter } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { tellFollowers } from './frame-signal.ts';
import { frameBatches, framesPartition } from './schema.ts';

/** Maximum characters of a batch, because a batch is one record with at most 400 KB; longer batches are split. */
const MAX_BATCH_CHARACTERS = 100_000;
/** Maximum characters of a chunk, because models may send a text, or a call's arguments, in one chunk of any length. */
const MAX_DELTA_CHARACTERS = 25_000;
/** Seconds for which frames are stored, the same as runs. */
const KEEP_FRAMES_SECONDS = 30 * 24 * 60 * 60;
/**
 * Milliseconds between two writes of a run, so that events that arrive in the meantime are written together.
 */
const WRITE_EVERY_MS = 25;

/** Returns the number of a run's last event; 0 before the first. */
export async function lastFrame(records: Records, runId: string): Promise<number> {
  const { items } = await frameBatches.list(records, {
    partition: framesPartition(runId),
    order: 'descending',
    limit: 1,
  });
  const batch = items[0];
  return batch === undefined ? 0 : batch.from + batch.count - 1;
}

/** Another process has written events of this run, so this process no longer owns it. */
export class FramesTaken extends Error {}

export interface Recorder {
  /**
   * Queues an event, which reaches the store and the followers a moment later. Throws the error of an earlier write.
   */
  write(part: StreamPart): void;
  /** Resolves when everything is stored. Throws FramesTaken. */
  flush(): Promise<void>;
}

/**
 * Stores a run's events, numbered after `last`, before any follower sees them, so that each number means the
 * same event to all followers. Events that arrive during one write are part of the next.
 */
export function openRecorder(
  ports: TimedRecords,
  runId: string,
  last: number,
  keepSeconds = KEEP_FRAMES_SECONDS,
): Recorder {
  let next = last + 1;
  let pending: StreamPart[] = [];
  let writing: Promise<void> | undefined;
  let failure: unknown;
  const rest = restBetweenWrites();

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const parts = takeBatch(pending);
      await storeBatch(ports, { runId, from: next, parts, keepSeconds });
      next += parts.length;
      tellFollowers(runId);
      await rest.take(); // also without waiting events, because a fast model's next event follows in a moment
    }
  }

  function start(): Promise<void> {
    writing ??= Promise.resolve()
      .then(writeAll)
      .catch((error: unknown) => {
        failure = error;
        pending = [];
      })
      .finally(() => {
        writing = undefined;
        if (pending.length > 0) void start(); // for events that arrived after the last check
      });
    return writing;
  }

  return {
    write(part) {
      if (failure !== undefined) throw failure;
      for (const piece of splitDelta(part)) addFrame(pending, piece);
      void start();
    },
    async flush() {
      rest.hurry();
      while (pending.length > 0 || writing !== undefined) await start();
      if (failure !== undefined) throw failure;
    },
  };
}

/** A flush ends the pause. */
function restBetweenWrites() {
  const flushed = Promise.withResolvers<void>();
  return {
    async take(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, WRITE_EVERY_MS);
      await Promise.race([promise, flushed.promise]);
      clearTimeout(timer);
    },
    hurry: flushed.resolve,
  };
}

/**
 * Writes a batch. A retry after a lost response finds its own events, and doesn't mistake them for another
 * process's.
 */
async function storeBatch(
  { records, clock }: TimedRecords,
  {
    runId,
    from,
    parts,
    keepSeconds,
  }: { runId: string; from: number; parts: StreamPart[]; keepSeconds: number },
): Promise<void> {
  const expiresAt = expiryAfter(clock, keepSeconds);
  const batch = { runId, from, count: parts.length, parts: JSON.stringify(parts), expiresAt };
  if (await frameBatches.create(records, batch)) return;
  const there = await frameBatches.get(records, batch);
  if (there?.parts !== batch.parts) throw new FramesTaken(`frame ${from} of run ${runId} is there already`);
}

/** Adds an event. Adjacent chunks of one text become one event, up to a length. */
function addFrame(pending: StreamPart[], part: StreamPart): void {
  const before = pending.at(-1);
  const joined = before && joinDeltas(before, part);
  if (joined === undefined) pending.push(part);
  else pending[pending.length - 1] = joined;
}

/** Joins two parts. Returns undefined unless they are chunks of the same text and short enough together. */
function joinDeltas(before: StreamPart, part: StreamPart): StreamPart | undefined {
  if (part.type === 'tool-input-delta') {
    const isSame = before.type === part.type && before.toolCallId === part.toolCallId;
    if (!isSame || !fits(before.inputTextDelta, part.inputTextDelta)) return undefined;
    return { ...before, inputTextDelta: before.inputTextDelta + part.inputTextDelta };
  }
  if (part.type !== 'text-delta' && part.type !== 'reasoning-delta') return undefined;
  if (before.type !== part.type || before.id !== part.id || !fits(before.delta, part.delta)) return undefined;
  return { ...before, delta: before.delta + part.delta };
}

function fits(before: string, delta: string): boolean {
  return before.length + delta.length <= MAX_DELTA_CHARACTERS;
}

function splitDelta(part: StreamPart): StreamPart[] {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta')
    return splitText(part.delta).map((delta) => ({ ...part, delta }));
  if (part.type === 'tool-input-delta')
    return splitText(part.inputTextDelta).map((inputTextDelta) => ({ ...part, inputTextDelta }));
  return [part];
}

/** Splits text, but never inside a surrogate pair, which a store wouldn't keep. */
function splitText(text: string): string[] {
  if (text.length <= MAX_DELTA_CHARACTERS) return [text];
  return text.match(PIECES) ?? [];
}
const PIECES = new RegExp(`[^]{1,${MAX_DELTA_CHARACTERS}}`, 'gu');

function takeBatch(pending: StreamPart[]): StreamPart[] {
  let characters = 0;
  let count = 0;
  for (const part of pending) {
    characters += JSON.stringify(part).length;
    if (count > 0 && characters > MAX_BATCH_CHARACTERS) break;
    count += 1;
  }
  return pending.splice(0, count);
}
