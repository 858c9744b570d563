import { describe, expect, it } from '@jest/globals';
import { type LabeledClaim, measureJudge, toLabeledClaim } from './measure-judge.ts';
import { type Says, scriptedJudge, verdictsOf } from './scripted-judge.ts';

const LABELS = ['supported', 'partially_supported', 'not_supported'] as const;
const RIGHT: Record<string, Says> = { supported: 'yes', partially_supported: 'partly', not_supported: 'no' };
const CLAIMS: LabeledClaim[] = Array.from({ length: 30 }, (_, at) => {
  const label = LABELS[at % 3] ?? 'supported';
  return { label, sentence: `${label} ${at}`, quotes: [`Quote ${at}.`] };
});
const right = (sentence: string) => RIGHT[sentence.split(' ')[0] ?? ''] ?? 'no';

describe('measureJudge', () => {
  it('scores a judge that is always right with 1, and counts its calls and tokens', async () => {
    const judge = scriptedJudge((claims) => verdictsOf(claims, ({ sentence }) => right(sentence)));
    const { balanced, interval, use } = await measureJudge(judge, CLAIMS, 7);
    expect({ balanced, interval }).toEqual({ balanced: 1, interval: [1, 1] });
    expect(use).toMatchObject({ calls: 5, unusable: 0 });
    expect(use.inputTokens).toBeGreaterThan(use.outputTokens);
  });

  it('gives a judge that always says yes a score of a third, whatever the shares of the labels', async () => {
    const judge = scriptedJudge((claims) => verdictsOf(claims, () => 'yes'));
    const { balanced, interval } = await measureJudge(judge, CLAIMS.slice(0, 28), 10);
    expect(balanced).toBeCloseTo(1 / 3);
    expect(interval[0]).toBeCloseTo(1 / 3);
  });

  it('counts a contradiction as an unsupported claim', async () => {
    const judge = scriptedJudge((claims) => verdictsOf(claims, () => 'contradicted'));
    expect((await measureJudge(judge, CLAIMS, 10)).table.not_supported).toEqual({ none: 10 });
  });

  it('retries an unreadable answer once, and counts unjudged claims as wrong', async () => {
    const judge = scriptedJudge((claims, call) =>
      call === 1 || call > 3
        ? 'I cannot judge this.'
        : verdictsOf(claims.slice(1), ({ sentence }) => right(sentence)),
    );
    const { balanced, table, use } = await measureJudge(judge, CLAIMS, 10);
    expect(use).toMatchObject({ calls: 5, unusable: 3 });
    const unjudged = Object.values(table).reduce((sum, said) => sum + (said.unjudged ?? 0), 0);
    expect(unjudged).toBe(12);
    expect(balanced).toBeCloseTo(0.6);
  });

  it('continues after a failed call, whose claims stay unjudged, and stops after three failures in a row', async () => {
    const failing = (fails: (call: number) => boolean) =>
      scriptedJudge((claims, call) => {
        if (fails(call)) throw new Error('refused (400)');
        return verdictsOf(claims, ({ sentence }) => right(sentence));
      });
    const { table, use } = await measureJudge(
      failing((call) => call === 2),
      CLAIMS,
      10,
    );
    expect(use).toMatchObject({ calls: 3, failed: 1 });
    expect(table.supported).toMatchObject({ full: 7, unjudged: 3 });
    await expect(
      measureJudge(
        failing((call) => call > 1),
        CLAIMS,
        5,
      ),
    ).rejects.toThrow('refused (400)');
  });

  it('sends the chosen sentences and the most similar ones in their order', () => {
    const evidence = ['Nine.', 'Owls sleep by day.', 'Eight.', 'Owls hunt.', 'A.', 'B.', 'C.', 'D.'];
    const claim = { label: 'supported' as const, claim: 'Owls sleep', evidence, supporting_sentences: [[7]] };
    const { quotes } = toLabeledClaim(claim);
    expect(quotes).toEqual(evidence.filter((sentence) => quotes.includes(sentence)));
    expect(quotes).toEqual(expect.arrayContaining(['Owls sleep by day.', 'Owls hunt.', 'D.']));
    expect(quotes).toHaveLength(6);
  });
});
