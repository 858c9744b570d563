import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { UpstreamFailed } from '../../../lib/errors.ts';
import type { Entailment, EntailmentPair, EntailmentScores } from '../../../lib/ports/entailment.ts';
import { ENTAILED_FROM, entailClaims } from '../../../lib/support/entail.ts';
import type { Claim } from '../../../lib/support/judge.ts';

const options = { signal: new AbortController().signal, deadlineMs: 5000 };
const sure: EntailmentScores = { entailment: 0.99, contradiction: 0 };

let named = 0;
/** A model that gives each pair this score, and records its requests. */
function model(score: (pair: EntailmentPair) => EntailmentScores | undefined | Promise<never>) {
  const asked: EntailmentPair[][] = [];
  const entailment: Entailment = {
    model: `tiny-${named++}`, // each has its own circuit breaker
    async entail(pairs) {
      asked.push(pairs);
      return Promise.all(pairs.map(score));
    },
  };
  return { entailment, asked };
}

const claims = (count: number): Claim[] =>
  Array.from({ length: count }, (_, at) => ({ sentence: `Owls sleep (${at}).`, quotes: ['Owls sleep.'] }));

async function supportsOf(entailment: Entailment, asked: Claim[], given = options) {
  const { judgments, usage } = await entailClaims(entailment, asked, given);
  expect(judgments).toHaveLength(asked.length);
  expect(usage).toBeUndefined();
  return judgments.map((judgment) => judgment?.support);
}

describe('entailClaims', () => {
  it.each<[string, EntailmentScores | undefined, string | undefined]>([
    ['an entailed sentence', { entailment: ENTAILED_FROM.full, contradiction: 0 }, 'full'],
    [
      'one that is not quite entailed',
      { entailment: ENTAILED_FROM.full - 0.001, contradiction: 0 },
      undefined,
    ],
    ['a contradicted one', { entailment: 0, contradiction: ENTAILED_FROM.contradicted }, 'contradicted'],
    ['one that may be contradicted', { entailment: 0, contradiction: ENTAILED_FROM.full }, undefined],
    ['scores that are both high', { entailment: 1, contradiction: 1 }, 'full'],
    ['no number', { entailment: Number.NaN, contradiction: Number.NaN }, undefined],
    ['no scores', undefined, undefined],
  ])('decides on %s', async (_, scores, support) => {
    expect(await supportsOf(model(() => scores).entailment, claims(1))).toEqual([support]);
  });

  it('requires a higher score for a contradiction than for support', () => {
    expect(ENTAILED_FROM.contradicted).toBeGreaterThan(ENTAILED_FROM.full);
  });

  it('shows all quotes, each with its surrounding words', async () => {
    const { entailment, asked } = model(() => sure);
    const around = ['Of birds: […] They hunt $& at night.', '', 'no place for it'];
    await entailClaims(
      entailment,
      [{ sentence: 'Owls.', quotes: ['Owls fly.', 'Two.', '$1'], around }],
      options,
    );
    const premise = 'Of birds: Owls fly. They hunt $& at night.\nTwo.\n$1';
    expect(asked).toEqual([[{ premise, hypothesis: 'Owls.' }]]);
  });

  it('omits claims without quotes, claims that need the previous sentence, and claims that are too long', async () => {
    const { entailment, asked } = model(() => sure);
    const [own = { sentence: '', quotes: [] }] = claims(1);
    const others: Claim[] = [
      { ...own, quotes: [] },
      { ...own, before: 'They are birds.' },
      { ...own, sentence: 'x'.repeat(501) },
    ];
    expect(await supportsOf(entailment, [...others, own])).toEqual([undefined, undefined, undefined, 'full']);
    expect(asked).toEqual([[{ premise: 'Owls sleep.', hypothesis: own.sentence }]]);
  });

  it('sends 32 pairs at a time, at most 64, each of limited length', async () => {
    const { entailment, asked } = model(() => sure);
    const long = { sentence: 'Owls.', quotes: Array(90_000).fill(`\ud83e\udd89${'owl '.repeat(2000)}`) };
    const supports = await supportsOf(entailment, [long, ...claims(90_000)]);
    expect(asked.map(({ length }) => length)).toEqual([32, 32]);
    expect(supports.filter((support) => support === 'full')).toHaveLength(64);
    expect(asked[0]?.[0]?.premise.length).toBe(4000);
  });

  it('keeps the judgments of the requests before a failed one', async () => {
    let requests = 0;
    const { entailment } = model(() => (requests > 32 ? undefined : sure));
    const failing: Entailment = {
      model: entailment.model,
      entail: (pairs, given) => {
        requests += pairs.length;
        if (requests > 32) throw new UpstreamFailed('model_failed', 'It failed.');
        return entailment.entail(pairs, given);
      },
    };
    const supports = await supportsOf(failing, claims(40));
    expect(supports).toEqual([...Array(32).fill('full'), ...Array(8).fill(undefined)]);
  });

  it('pauses a model that failed or took too long', async () => {
    const hanging = model(() => sleep(60_000, undefined, { ref: false }) as Promise<never>);
    expect(await supportsOf(hanging.entailment, claims(1), { ...options, deadlineMs: 30 })).toEqual([
      undefined,
    ]);
    expect(await supportsOf(hanging.entailment, claims(1))).toEqual([undefined]);
    expect(hanging.asked).toHaveLength(1);
  });

  it('does not pause the model because its caller left', async () => {
    const leaving = new AbortController();
    const { entailment, asked } = model(() => {
      leaving.abort();
      return sleep(60_000, undefined, { ref: false }) as Promise<never>;
    });
    const given = { ...options, signal: leaving.signal };
    expect(await supportsOf(entailment, claims(1), given)).toEqual([undefined]);
    expect(await supportsOf(entailment, claims(1), given)).toEqual([undefined]);
    expect(asked).toHaveLength(1);
    const again = model(() => sure);
    expect(await supportsOf({ ...again.entailment, model: entailment.model }, claims(1))).toEqual(['full']);
  });

  it('accepts only as many scores as it requested', async () => {
    const entailment: Entailment = { model: `short-${named++}`, entail: async () => [sure] };
    expect(await supportsOf(entailment, claims(3))).toEqual(['full', undefined, undefined]);
    const many: Entailment = { model: `many-${named++}`, entail: async () => Array(90_000).fill(sure) };
    expect(await supportsOf(many, claims(1))).toEqual(['full']);
  });
});
