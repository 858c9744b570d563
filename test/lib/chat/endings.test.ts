import { describe, expect, it } from '@jest/globals';
import type { StreamPart } from '../../../lib/api-contract/stream-part.ts';
import { answerChat } from '../../../lib/chat/answer.ts';
import { UpstreamFailed } from '../../../lib/errors.ts';
import type { FinishReason, LanguageModel } from '../../../lib/ports/language-model.ts';
import { startPipeline } from '../../support/pipeline.ts';

const pipeline = await startPipeline();
pipeline.ports.embedder = undefined;
const made = await pipeline.makeWorkspace();
const workspace = { ...made, name: 'w', createdAt: new Date().toISOString() };
await made.write('owls.md', '# Owls\n\nOwls hunt at night in the old forest.\n');
await made.sync();

/** Emits the text, and ends with the reason, or fails. */
function says(text: string, end: FinishReason | Error, waits = 0): LanguageModel {
  return {
    ...{ provider: 'a', model: 'scripted' },
    async *stream() {
      if (waits > 0) yield { type: 'rate-limited', seconds: waits };
      if (text !== '') yield { type: 'text', text };
      if (end instanceof Error) throw end;
      yield { type: 'finish', reason: end, usage: { inputTokens: 1, outputTokens: null } };
    },
  };
}

async function ask(model: LanguageModel, signal = new AbortController().signal) {
  const parts: StreamPart[] = [];
  let failure: unknown;
  const messages = [{ role: 'user' as const, text: 'When do owls hunt?' }];
  try {
    for await (const part of answerChat(pipeline.ports, { workspace, actor: 'ann', messages, model, signal }))
      parts.push(part);
  } catch (error) {
    failure = error;
  }
  return { parts, failure, types: parts.map(({ type }) => type) };
}

const HALF = 'Owls hunt at night [1]. They';

describe('end notice of an answer', () => {
  it.each([
    ['length', HALF, 'answer-cut', 'length'],
    ['length', '', 'answer-empty', 'empty'],
    ['content-filter', HALF, 'answer-filtered', 'filtered'],
    ['content-filter', '', 'answer-filtered', 'filtered'],
    ['repeats', HALF, 'answer-repeats', 'repeats'],
    ['stop', '', 'answer-empty', 'empty'],
    ['stop', ' \n', 'answer-empty', 'empty'],
  ] as const)('is for %s with the text %j: %s', async (reason, text, code, ending) => {
    const { parts } = await ask(says(text, reason));
    expect(parts.at(-2)).toMatchObject({ type: 'data-notice', data: { code, ending } });
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: reason === 'repeats' ? 'other' : reason,
    });
  });

  it.each(['stop', 'other'] as const)(
    'is missing for a complete answer that ended with %s',
    async (reason) => {
      expect((await ask(says(HALF, reason))).types).not.toContain('data-notice');
    },
  );
});

describe('answer that breaks off', () => {
  const broken = new UpstreamFailed('model_interrupted', 'It stopped.');

  it('has the citations of its text so far', async () => {
    const { parts, failure } = await ask(says(HALF, broken));
    expect(parts.find(({ type }) => type === 'data-citation')).toMatchObject({
      data: { index: 1, path: 'owls.md', quote: expect.stringContaining('Owls hunt at night') },
    });
    expect(failure).toBe(broken);
  });

  it('has no citations after a person stopped it', async () => {
    const leaving = new AbortController();
    leaving.abort(new Error('stopped'));
    expect((await ask(says(HALF, broken), leaving.signal)).types).not.toContain('data-citation');
  });
});

it('chat tells followers that it waits for a rate limit', async () => {
  const { parts } = await ask(says(HALF, 'stop', 38));
  const notice = { code: 'waiting-for-rate-limit', seconds: 38, text: expect.stringContaining('38 s') };
  expect(parts).toContainEqual({ type: 'data-notice', transient: true, data: notice });
});
