import type { StreamPart } from '../../ui-messages/stream-part.ts';

/** Yields frames while work is in progress: what it sends, and at each interval what `progress` returns. */
export async function* whileWorking<Result>(
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
