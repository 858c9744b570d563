import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

interface StreamModule {
  followFrames(
    address: (after: number) => string,
    after: number,
    signal: AbortSignal,
  ): AsyncIterable<{ part: { type: string } }>;
  resumeStreams(): void;
}

const page = new EventTarget();
Object.assign(globalThis, {
  sessionStorage: { getItem: () => null },
  addEventListener: () => {},
  document: page,
});
/** A computed name, because it leads to a file of the page, which has other globals. */
const STREAM: string = '../../../web/api/event-stream.ts';
const { followFrames, resumeStreams }: StreamModule = await import(STREAM);

const WAITS = 'id: 1\ndata: {"type":"start"}\n\nretry: 20000\n\n';
const STILL_WAITS = 'retry: 30000\n\n';
const CONTINUES = 'id: 2\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n';

/** Follows a stream whose service answers each request with the next body. */
function follow(...bodies: string[]) {
  const asked: string[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    asked.push(String(address));
    return new Response(bodies.shift() ?? CONTINUES);
  });
  const seen: string[] = [];
  const ended = (async () => {
    const frames = followFrames((after) => `http://service/${after}`, 0, new AbortController().signal);
    for await (const { part } of frames) seen.push(part.type);
  })();
  return { asked, seen, ended };
}

const wait = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('stream that ends while its run waits', () => {
  it('is resumed at the time that the service named, from the last event', async () => {
    const { asked, seen, ended } = follow(WAITS, STILL_WAITS);
    await wait(19_000);
    expect(asked).toEqual(['http://service/0']);
    await wait(1_500);
    expect(asked).toEqual(['http://service/0', 'http://service/1']);
    await wait(30_000);
    await ended;
    expect(seen).toEqual(['start', 'finish']);
  });

  it.each([
    ['the run may continue', () => resumeStreams()],
    ['the user returns to the tab', () => page.dispatchEvent(new Event('visibilitychange'))],
  ])('is resumed immediately when %s', async (_, happens) => {
    const { asked, ended } = follow(WAITS);
    await wait(500);
    happens();
    await ended;
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['a second', 'retry: 0\n\n', 900, 1_100],
    ['a minute', 'retry: 999999999\n\n', 59_000, 61_000],
  ])('waits for %s if the service names a time beyond it', async (_, body, before, after) => {
    const { asked, ended } = follow(body);
    await wait(before);
    expect(asked).toHaveLength(1);
    await wait(after - before);
    await ended;
    expect(asked).toHaveLength(2);
  });
});
