import { describe, expect, it } from '@jest/globals';
import type { LanguageModel, ModelEvent, OwnServer } from '../../../lib/ports/language-model.ts';
import { answerDeadline, readShortAnswer, type ShortAnswer } from '../../../lib/support/short-answer.ts';

function modelAt(server: OwnServer | undefined): LanguageModel {
  return { provider: 'a', model: 'm', ownServer: async () => server, stream: async function* () {} };
}

describe('answerDeadline', () => {
  it('returns the usual timeout for a provider', async () => {
    expect(await answerDeadline(modelAt(undefined), 150_000)).toBe(150_000);
  });

  it("returns three times the patience of a user's own server, and at least as much as for a provider", async () => {
    const own = (patienceMs: number) => modelAt({ patienceMs, tokensReadPerSecond: undefined });
    expect(await answerDeadline(own(600_000), 150_000)).toBe(1_800_000);
    expect(await answerDeadline(own(1000), 150_000)).toBe(150_000);
  });
});

describe('readShortAnswer', () => {
  const JSON_ANSWER = '{"verdicts":[]}';
  const request = { system: '', messages: [], responseSchema: { name: 'verdicts', schema: {} } };
  const tooLong = () => new Error('too long');

  async function read(after: string, of: typeof request | Omit<typeof request, 'responseSchema'> = request) {
    let sent = 0;
    const stream = async function* (): AsyncGenerator<ModelEvent> {
      yield { type: 'text', text: JSON_ANSWER };
      for (; sent < 3000; sent++) yield { type: 'text', text: after };
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 5, outputTokens: 6 } };
    };
    const answer: ShortAnswer = { text: '', usage: undefined };
    await readShortAnswer({ provider: 'a', model: 'm', stream }, of, answer, tooLong);
    return { answer, sent };
  }

  it('stops a model that writes line breaks after its JSON', async () => {
    const { answer, sent } = await read('\n');
    expect(sent).toBeLessThan(100);
    expect(answer.text.trim()).toBe(JSON_ANSWER);
    expect(answer.usage).toEqual({ inputTokens: null, outputTokens: null });
  });

  it('reads other answers to their end, which reports the usage', async () => {
    const { responseSchema: _, ...plain } = request;
    for (const read3000 of [await read('\n', plain), await read('')]) {
      expect(read3000.sent).toBe(3000);
      expect(read3000.answer.usage).toEqual({ inputTokens: 5, outputTokens: 6 });
    }
  });
});
