import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { Held } from '../../leases/hold.ts';
import type { Records } from '../../ports/records.ts';
import { framesSoFar } from '../../run-events/follow-frames.ts';
import type { WorkOutcome } from '../work-on-run.ts';

/** Sends a part once, even if several processes send a part with its ID. */
export type SayOnce = (part: StreamPart & { id: string }) => void;

/** Work on a run whose steps are stored. */
export interface ResumedWork {
  progress(): StreamPart;
  work(say: SayOnce): Promise<WorkOutcome>;
}

/** Milliseconds between progress events: less than the five seconds within which an event must be sent. */
const PROGRESS_MS = 4000;

/** Yields the events of such work, except those that an earlier process has sent. `begin` opens it. */
export async function* resumableParts(
  records: Records,
  runId: string,
  lease: Held,
  begin: (signal: AbortSignal) => Promise<ResumedWork>,
): AsyncGenerator<StreamPart, WorkOutcome> {
  const frames = await framesSoFar(records, runId);
  if (frames.length === 0) yield { type: 'start', messageId: runId, messageMetadata: { runId } };
  if (frames.some(({ type }) => type === 'finish')) return { kind: 'finished' };
  const saidBefore = new Set(frames.map(keyOf));
  const leaving = new AbortController();
  const { progress, work } = await begin(AbortSignal.any([lease.signal, leaving.signal]));
  try {
    return yield* whileWorking(PROGRESS_MS, progress, (say) =>
      work((part) => {
        if (saidBefore.has(keyOf(part))) return;
        saidBefore.add(keyOf(part));
        say(part);
      }),
    );
  } finally {
    leaving.abort();
  }
}

function keyOf(part: StreamPart): string {
  return `${part.type} ${'id' in part ? part.id : ''}`;
}

/** Yields events during work: those that it sends and, at each interval, the result of `progress`. */
async function* whileWorking<Result>(
  everyMs: number,
  progress: () => StreamPart,
  work: (say: (part: StreamPart) => void) => Promise<Result>,
): AsyncGenerator<StreamPart, Result> {
  const said: StreamPart[] = [];
  let wake = Promise.withResolvers<void>();
  const working = work((part) => {
    said.push(part);
    wake.resolve();
  });
  let over = false;
  const ended = working.then(
    () => true,
    () => true,
  );
  while (!over) {
    const beat = Promise.withResolvers<'beat'>();
    const timer = setTimeout(() => beat.resolve('beat'), everyMs);
    const first = await Promise.race([ended, wake.promise, beat.promise]);
    clearTimeout(timer);
    wake = Promise.withResolvers<void>();
    over = first === true;
    if (first === 'beat') yield progress();
    yield* said.splice(0);
  }
  return working;
}
