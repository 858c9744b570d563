import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { withJudgment } from '../../../../lib/api-contract/citation.ts';
import type { Entailment, EntailmentScores } from '../../../../lib/ports/entailment.ts';
import type { LanguageModel } from '../../../../lib/ports/language-model.ts';
import type { SentenceCitation } from '../../../../lib/retrieval/cite/cite.ts';
import { judgeCitations } from '../../../../lib/retrieval/cite/judge-citations.ts';

const { signal } = new AbortController();

function sentence(
  index: number,
  claim: string,
  fields: Partial<SentenceCitation['citation']> = {},
): SentenceCitation {
  const place = { index, path: 'a.md', startLine: 1, endLine: 1, quote: claim, fileHash: '', stale: false };
  const support = { verified: true, support: 'unjudged' as const, checks: [] };
  const citation = { ...place, ...support, ...fields };
  return { citation, claim, quotes: [`${claim} It is so.`], around: [], limits: [] };
}

function judge(...said: string[]) {
  const asked: string[] = [];
  const model: LanguageModel = {
    provider: 'a',
    model: 'judge',
    async *stream({ messages }) {
      asked.push(String(messages[0]?.content));
      const verdicts = said.map((says, at) => ({ number: at + 1, says, why: says }));
      yield { type: 'text', text: JSON.stringify({ verdicts }) };
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  return { model, asked };
}

describe('judgeCitations', () => {
  it('does not let a judge raise the verdict of code, even if the judge is certain', async () => {
    const findings = [{ rule: 'number_missing' as const, own: '13 hours' }];
    const cited = [
      sentence(1, 'Owls sleep 13 hours.', { support: 'partial', findings }),
      sentence(2, 'Owls are safe.', { support: 'contradicted' }),
      sentence(3, 'Owls swim.', { support: 'none', quote: '' }),
    ];
    const { model, asked } = judge('yes', 'yes', 'yes');
    const { supports } = await judgeCitations({ model }, cited, signal);
    const reason = 'Not in the source: 13 hours.';
    expect(supports).toEqual([{ id: '1', support: 'partial', reason, by: 'code', findings }]);
    expect(asked.join()).not.toMatch(/safe|swim/);
  });

  it('shows a judge the words around a quote, and does not let it support a retracted quote', async () => {
    const around = [{ before: 'The following is false:', after: '' }];
    const limits = [{ rule: 'taken_back' as const, own: '' }];
    const cited = [{ ...sentence(1, 'Owls are blind.'), around, limits }];
    const { model, asked } = judge('yes');
    const { supports } = await judgeCitations({ model }, cited, signal);
    const reason = 'Words around the quote may say that it is not so.';
    expect(supports).toMatchObject([{ id: '1', support: 'partial', by: 'code', findings: limits, reason }]);
    expect(asked.join()).toMatch(/<around-\w*>\nThe following is false: \[…\]\n/);
    const both = [{ ...sentence(1, 'Owls hunt.'), around: [...around, { before: '', after: '' }] }];
    expect((await judgeCitations({ model }, both, signal)).supports).toMatchObject([{ support: 'full' }]);
  });

  it('judges a sentence with several citations once', async () => {
    const quotes = ['One.', 'Two.'];
    const cited = [
      { ...sentence(1, 'Owls sleep.'), quotes },
      { ...sentence(2, 'Owls sleep.'), quotes: quotes.toReversed() },
    ];
    const { model, asked } = judge('partly');
    const { supports } = await judgeCitations({ model }, cited, signal);
    expect(supports.map(({ id, support }) => [id, support])).toEqual([
      ['1', 'partial'],
      ['2', 'partial'],
    ]);
    expect(asked.join().match(/<sentence-/g)).toHaveLength(1);
  });

  it('reports for each support whether a model decided it', async () => {
    const lacking = {
      support: 'partial' as const,
      findings: [{ rule: 'number_missing' as const, own: '13' }],
    };
    const cited = [sentence(1, 'Owls sleep.'), sentence(1, 'Owls sleep 13 hours.', lacking)];
    const { supports } = await judgeCitations({ model: judge('partly', 'yes').model }, cited, signal);
    const [own, byCode] = supports[0]?.claims ?? [];
    expect(own).toMatchObject({ support: 'partial', judged: true });
    expect(byCode).toEqual({ ...lacking, by: 'code', reason: 'Not in the source: 13.' });
    const data = { index: 1, path: 'a.md', startLine: 1, endLine: 1, quote: 'a', fileHash: '' };
    const citation = { ...data, verified: true, stale: false };
    expect(withJudgment(citation, { id: '1', support: 'full', reason: '', judged: true }).judged).toBe(true);
    expect(withJudgment(citation, { id: '1', support: 'unjudged', reason: '' }).judged).toBeUndefined();
  });

  it('leaves sentences beyond the call limit unjudged, together with their citation', async () => {
    const cited = Array.from({ length: 30 }, (_, at) =>
      sentence(at < 25 ? at + 1 : 1, `Owls sleep (${at}).`),
    );
    const { model } = judge(...cited.map(() => 'yes'));
    const { supports } = await judgeCitations({ model }, cited, signal);
    expect(supports).toHaveLength(20);
    expect(supports[0]?.support).toBe('unjudged');
    expect(supports[1]?.support).toBe('full');
  });

  /** An entailment model whose scores are the numbers of the sentences. */
  function entailmentOf(scores: Record<string, EntailmentScores>) {
    const asked: string[] = [];
    const entailment: Entailment = {
      model: 'nli',
      entail: async (pairs) =>
        pairs.map(({ hypothesis }) => {
          asked.push(hypothesis);
          return scores[hypothesis];
        }),
    };
    return { entailment, asked };
  }

  it('asks an entailment model first, only if code found all facts, and asks a judge about the other sentences', async () => {
    const cited = [
      sentence(1, 'Owls sleep.'),
      sentence(2, 'Owls swim.'),
      sentence(3, 'Owls run.'),
      sentence(4, 'Owls sleep 13 hours.', { support: 'partial' }),
      sentence(5, 'Owls are safe.', { support: 'contradicted' }),
    ];
    const { entailment, asked } = entailmentOf({
      'Owls sleep.': { entailment: 1, contradiction: 0 },
      'Owls swim.': { entailment: 0, contradiction: 1 },
      'Owls run.': { entailment: 0.5, contradiction: 0.2 },
    });
    const byNli = [
      { id: '1', support: 'full', reason: '', judged: true, by: 'nli', findings: [] },
      { id: '2', support: 'contradicted', reason: '', judged: true, by: 'nli', findings: [] },
    ];
    expect(await judgeCitations({ entailment }, cited, signal)).toEqual({
      supports: byNli,
      usage: undefined,
    });
    expect(asked).toEqual(['Owls sleep.', 'Owls swim.', 'Owls run.']);
    const both = judge('partly', 'no');
    const { supports } = await judgeCitations({ entailment, model: both.model }, cited, signal);
    expect(supports.slice(0, 2)).toEqual(byNli);
    expect(supports.slice(2)).toMatchObject([
      { id: '3', support: 'partial', by: 'model' },
      { id: '4', support: 'none', by: 'model' },
    ]);
    expect(both.asked.join()).not.toMatch(/swim|sleep\./);
  });

  it('does not let an entailment model support a quote that the words around it retract', async () => {
    const { entailment } = entailmentOf({ 'Owls are blind.': { entailment: 1, contradiction: 0 } });
    const around = [{ before: 'The following is false:', after: '' }];
    const limits = [{ rule: 'taken_back' as const, own: '' }];
    const { supports } = await judgeCitations(
      { entailment },
      [{ ...sentence(1, 'Owls are blind.'), around, limits }],
      signal,
    );
    expect(supports).toMatchObject([{ support: 'partial', by: 'code' }]);
  });

  it('waits for a hanging judge only until its timeout', async () => {
    const model: LanguageModel = {
      provider: 'a',
      model: 'hangs',
      // biome-ignore lint/correctness/useYield: it never comes to it
      async *stream() {
        await sleep(60_000, undefined, { ref: false });
      },
    };
    const started = Date.now();
    expect(await judgeCitations({ model }, [sentence(1, 'Owls sleep.')], signal, 30)).toEqual({
      supports: [],
      usage: undefined,
    });
    expect(Date.now() - started).toBeLessThan(5000);
  });
});
