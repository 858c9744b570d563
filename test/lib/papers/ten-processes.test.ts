import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { FoundPapers } from '../../../lib/ports/papers.ts';
import { type FakeRequest, startFakePapers } from '../../support/fakes/fake-papers.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const PROGRAM = join(import.meta.dirname, '../../support/processes/paper-process.ts');
const WORDS = ['owl', 'hen', 'elk', 'bat', 'cod', 'ant', 'bee', 'fox', 'yak', 'eel'];
/** `npm run test:long` uses arXiv's own interval. */
const INTERVAL_MS = Number(process.env.PAPER_INTERVAL_MS ?? 250);
const TIMEOUT_MS = 60_000 + 12 * INTERVAL_MS;

const fake = await startFakePapers({
  preprint_server: WORDS.map((word, at) => ({
    title: `A study of the ${word}, the zebra and the gnu`,
    published: '2024-01-31T12:00:00Z',
    arxivId: `2401.0000${at}`,
  })),
});
const dataDir = await tempFolder();
const first = await startProcess(); // alone, so that the others find compiled code
const processes = [first, ...(await Promise.all(WORDS.slice(1).map(startProcess)))];

async function startProcess() {
  const args = [PROGRAM, dataDir, fake.url, `${INTERVAL_MS}`];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  whenDone(() => kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const search = async (word: string) => {
    child.stdin.write(`${word}\n`);
    const { value = 'null' } = await lines.next();
    return JSON.parse(value as string) as FoundPapers | null;
  };
  return { search, kill };
}

/** Lets every process search for its word, and returns the requests to arXiv in the meantime. */
async function searchAll(wordOf: (word: string) => string) {
  const before = fake.requests.length;
  const found = await Promise.all(processes.map(({ search }, at) => search(wordOf(WORDS[at] ?? ''))));
  return { found, requests: fake.requests.slice(before) };
}

function closest(requests: FakeRequest[]): number {
  return Math.min(...requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0)));
}

describe('ten concurrent search processes', () => {
  it(
    'call arXiv one after the other, never within the interval, and all get their result',
    async () => {
      fake.delayMs = 30;
      const { found, requests } = await searchAll((word) => word);
      expect(found.map((answer) => answer?.errors)).toEqual(WORDS.map(() => ({})));
      expect(found.map((answer) => answer?.articles[0]?.title)).toEqual(
        WORDS.map((word) => expect.stringContaining(word)),
      );
      expect(requests).toHaveLength(WORDS.length);
      expect(fake.mostAtOnce).toBe(1);
      expect(closest(requests)).toBeGreaterThanOrEqual(INTERVAL_MS);
    },
    TIMEOUT_MS,
  );

  it(
    'call arXiv once for the same search',
    async () => {
      const { found, requests } = await searchAll(() => 'zebra');
      expect(found.map((answer) => answer?.totalCount)).toEqual(WORDS.map(() => WORDS.length));
      expect(requests).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it(
    "aren't delayed by processes that die while they wait",
    async () => {
      fake.delayMs = 1500; // the first one calls in the meantime, and the others queue
      const before = fake.requests.length;
      const searches = processes.map(({ search }, at) => search(`${WORDS[at]}, the zebra`).catch(() => null));
      while (fake.requests.length === before) await pause(5);
      const holder = WORDS.findIndex((word) => fake.requests.at(-1)?.url.search.includes(word));
      await pause(500);
      const dying = processes.map((_, at) => at).filter((at) => at !== holder && at % 2 === 0);
      await Promise.all(dying.map((at) => processes[at]?.kill()));
      fake.delayMs = 0;
      const living = (await Promise.all(searches)).filter((_, at) => !dying.includes(at));
      expect(living.map((answer) => [answer?.totalCount, answer?.errors])).toEqual(living.map(() => [1, {}]));
      expect(fake.mostAtOnce).toBe(1);
      expect(closest(fake.requests.slice(before))).toBeGreaterThanOrEqual(INTERVAL_MS);
    },
    TIMEOUT_MS,
  );
});
