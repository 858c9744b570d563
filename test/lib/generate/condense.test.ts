import { describe, expect, it } from '@jest/globals';
import { UpstreamFailed } from '../../../lib/errors.ts';
import { writeFrom } from '../../../lib/generate/condense.ts';
import type { ModelRequest } from '../../../lib/ports/language-model.ts';
import type { Passage } from '../../../lib/ports/vectors.ts';
import { answeringModel } from '../../support/reports.ts';

function passagesOf(count: number, text: (index: number) => string): Passage[] {
  const place = {
    chunk: 0,
    fileHash: 'h',
    startLine: 1,
    endLine: 2,
    startChar: 0,
    endChar: 1,
    part: {},
    context: '',
  };
  return Array.from({ length: count }, (_, index) => ({ ...place, path: `f${index}.md`, text: text(index) }));
}

const promptOf = ({ messages }: ModelRequest) => messages[0]?.content ?? '';
const isFinal = ({ system }: ModelRequest) => system.startsWith('You write a note');

/** Cites every number that a prompt offers in a sentence of its own. */
function citeAll(request: ModelRequest): string {
  const prompt = promptOf(request);
  const numbers = prompt.includes('<passage-')
    ? [...prompt.matchAll(/<passage-\w+ number="(\d+)" file="([^"]+)"/g)].map(([, number, file]) => [
        number,
        file,
      ])
    : [...prompt.matchAll(/About (\S+) \[(\d+)\]/g)].map(([, file, number]) => [number, file]);
  return numbers.map(([number, file]) => `About ${file} [${number}].`).join(' ');
}

function write(
  passages: Passage[],
  answer: (request: ModelRequest) => string | Promise<string>,
  signal?: AbortSignal,
) {
  const { model, requests } = answeringModel(answer);
  const writing = {
    model,
    type: 'summary',
    locale: undefined,
    tokens: Number.POSITIVE_INFINITY,
    signal: signal ?? new AbortController().signal,
    tell: () => undefined,
  } as const;
  return { requests, done: writeFrom(writing, passages) };
}

describe('writeFrom', () => {
  it('writes from the passages themselves if they fit into one prompt', async () => {
    const passages = passagesOf(3, (index) => `Text ${index}.`);
    const { requests, done } = write(passages, citeAll);
    expect(await done).toEqual({
      text: 'About f0.md [1]. About f1.md [2]. About f2.md [3].',
      sources: passages,
    });
    expect(requests.map(isFinal)).toEqual([true]);
  });

  it.each([
    ['Latin', 'word '.repeat(300)],
    ['Chinese', '研究'.repeat(400)],
  ])(
    'reads every passage of long %s material once, in prompts that fit, and keeps the meaning of each number',
    async (_, filler) => {
      const passages = passagesOf(900, (index) => `Text ${index}. ${filler}`);
      const { requests, done } = write(passages, citeAll);
      const { text, sources } = await done;
      const offered = requests.flatMap((request) =>
        [...promptOf(request).matchAll(/file="(f\d+\.md)"/g)].map(([, file]) => file),
      );
      expect(offered.sort()).toEqual(passages.map(({ path }) => path).sort());
      for (const request of requests) expect(Buffer.byteLength(promptOf(request))).toBeLessThan(62_000);
      expect(requests.filter(isFinal)).toEqual([requests.at(-1)]);
      const cited = [...text.matchAll(/About (\S+) \[(\d+)\]/g)];
      expect(cited.length).toBeGreaterThan(100);
      for (const [, file, number] of cited) expect(sources[Number(number) - 1]?.path).toBe(file);
      expect(sources).toHaveLength(cited.length);
    },
  );

  it('ends even if the model condenses nothing', async () => {
    const passages = passagesOf(300, (index) => `Text ${index}. ${'word '.repeat(300)}`);
    const { requests, done } = write(passages, () => `Endless [1]. ${'more '.repeat(100_000)}`);
    expect((await done).sources).toEqual([passages[0]]);
    expect(requests.length).toBeLessThan(20);
  });

  it('makes at most eight calls at once', async () => {
    let [now, most] = [0, 0];
    const { done } = write(
      passagesOf(900, (index) => `Text ${index}. ${'word '.repeat(300)}`),
      async () => {
        most = Math.max(most, ++now);
        await new Promise((go) => setTimeout(go, 5));
        now--;
        return 'Short [1].';
      },
    );
    await done;
    expect(most).toBe(8);
  });

  it('ends with the first failure, without further calls', async () => {
    let asked = 0;
    const { requests, done } = write(
      passagesOf(900, (index) => `Text ${index}. ${'word '.repeat(300)}`),
      async ({ signal }) => {
        if (++asked === 3) throw new UpstreamFailed('upstream_failed', 'provider a failed');
        await new Promise((go) => setTimeout(go, 20));
        signal?.throwIfAborted();
        return 'Short.';
      },
    );
    await expect(done).rejects.toThrow('provider a failed');
    await new Promise((go) => setTimeout(go, 60));
    expect(requests).toHaveLength(8);
  });

  it.each([
    ['returns nothing', () => ' \n', undefined, 'returned no text'],
    [
      'takes too long',
      async ({ signal }: ModelRequest) => {
        await new Promise((go) => setTimeout(go, 50));
        signal?.throwIfAborted();
        return '';
      },
      10,
      'took too long',
    ],
  ])('throws 502 if the model %s', async (_, answer, limit, message) => {
    const signal = limit === undefined ? undefined : AbortSignal.timeout(limit);
    const { done } = write(
      passagesOf(1, () => 'Text.'),
      answer,
      signal,
    );
    await expect(done).rejects.toMatchObject({ status: 502, message: expect.stringContaining(message) });
  });
});
