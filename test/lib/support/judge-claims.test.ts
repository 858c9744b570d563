import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { OverBudget, UpstreamFailed } from '../../../lib/errors.ts';
import type { LanguageModel, ModelRequest } from '../../../lib/ports/language-model.ts';
import { CLAIMS_PER_CALL, judgeClaims } from '../../../lib/support/judge-claims.ts';

const CLAIMS = [
  { sentence: 'Owls sleep.', quotes: ['Owls sleep by day.'] },
  { sentence: 'Owls swim.', quotes: ['Owls fly.'] },
];
const USAGE = { inputTokens: 40, outputTokens: 9 };
const options = { signal: new AbortController().signal, deadlineMs: 5000 };

/** A judge that returns this answer, and records its requests. */
function judge(answer: string | ((request: ModelRequest) => AsyncIterable<string> | Iterable<string>)) {
  const asked: ModelRequest[] = [];
  const model: LanguageModel = {
    provider: 'a',
    model: 'judge',
    async *stream(request) {
      asked.push(request);
      for await (const text of typeof answer === 'string' ? [answer] : answer(request))
        yield { type: 'text', text };
      yield { type: 'finish', reason: 'stop', usage: USAGE };
    },
  };
  return { model, asked };
}

function verdicts(...says: string[]): string {
  return JSON.stringify({ verdicts: says.map((said, at) => ({ number: at + 1, says: said, why: said })) });
}

describe('judgeClaims', () => {
  it('returns the judgment of each claim from one call, and the usage of that call', async () => {
    const { model, asked } = judge(`Here: ${verdicts('yes', 'no')}`);
    expect(await judgeClaims(model, CLAIMS, options)).toEqual({
      judgments: [
        { support: 'full', reason: 'yes' },
        { support: 'none', reason: 'no' },
      ],
      usage: USAGE,
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.maxOutputTokens).toBeGreaterThan(0);
    expect(asked[0]?.responseSchema).toMatchObject({ name: 'verdicts', schema: { required: ['verdicts'] } });
  });

  it('makes no call if there is nothing to judge', async () => {
    const { model, asked } = judge(verdicts('yes'));
    expect(await judgeClaims(model, [], options)).toEqual({ judgments: [], usage: undefined });
    expect(asked).toEqual([]);
  });

  it.each(['Both are fine.', '{"verdicts":[{"number":1,"says":"maybe"}]}', '{"verdicts":', ''])(
    'returns no judgment for the invalid answer %j, but counts its usage',
    async (answer) => {
      const { judgments, usage, failure } = await judgeClaims(judge(answer).model, CLAIMS, options);
      expect(judgments).toEqual([undefined, undefined]);
      expect(usage).toEqual(USAGE);
      expect(failure).toBeInstanceOf(UpstreamFailed);
    },
  );

  it('stops at the deadline, even if a model ignores its abort signal', async () => {
    const { model } = judge(async function* () {
      yield 'I think';
      await sleep(60_000, undefined, { ref: false });
    });
    const { judgments, failure } = await judgeClaims(model, CLAIMS, { ...options, deadlineMs: 30 });
    expect(judgments).toEqual([undefined, undefined]);
    expect(failure).toMatchObject({ code: 'model_timeout' });
  });

  it('stops when its caller stops', async () => {
    const leaving = new AbortController();
    const { model } = judge(async function* () {
      yield '{';
      leaving.abort(new Error('left'));
      await sleep(60_000, undefined, { ref: false });
    });
    const { judgments, failure } = await judgeClaims(model, CLAIMS, { ...options, signal: leaving.signal });
    expect(judgments).toEqual([undefined, undefined]);
    expect(failure).toEqual(new Error('left'));
    const after = judge(verdicts('yes', 'yes'));
    await judgeClaims(after.model, CLAIMS, { ...options, signal: leaving.signal });
    expect(after.asked).toEqual([]);
  });

  it('stops waiting for a model that does not stop', async () => {
    let pieces = 0;
    const { model } = judge(function* () {
      for (; pieces < 10_000; pieces++) yield 'Well, '.repeat(100);
    });
    const { failure } = await judgeClaims(model, CLAIMS, options);
    expect(failure).toMatchObject({ code: 'model_answer_unusable' });
    expect(pieces).toBeLessThan(200);
  });

  it('returns the reason why a model was not called', async () => {
    const failure = new OverBudget('The budget is used up.', 60);
    const { model } = judge(() => {
      throw failure;
    });
    expect(await judgeClaims(model, CLAIMS, options)).toEqual({
      judgments: [undefined, undefined],
      usage: undefined,
      failure,
    });
  });

  it('shows a limited number of claims, each of limited length', async () => {
    const long = {
      sentence: 'a'.repeat(100_000),
      quotes: Array.from({ length: 50 }, () => 'b'.repeat(100_000)),
    };
    const { model, asked } = judge(verdicts('yes'));
    const { judgments } = await judgeClaims(
      model,
      Array.from({ length: 100 }, () => long),
      options,
    );
    expect(judgments).toHaveLength(100);
    const [message] = asked[0]?.messages ?? [];
    expect(message?.content.length).toBeLessThan(CLAIMS_PER_CALL * 20_000);
    expect(message?.content).not.toContain(`number="${CLAIMS_PER_CALL + 1}"`);
  });
});
