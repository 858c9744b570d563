import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { answerChat } from '../../../lib/chat/answer.ts';
import { findPassages } from '../../../lib/chat/find-passages.ts';
import type { ChatMessage } from '../../../lib/chat/schema.ts';
import type { LanguageModel, ModelRequest } from '../../../lib/ports/language-model.ts';
import type { ScoredPassage } from '../../../lib/ports/vectors.ts';
import { searchPassages } from '../../../lib/retrieval/search.ts';
import { selectPassages } from '../../../lib/retrieval/select-passages.ts';
import { undiciSet } from '../../eval/eval-sets.ts';
import { startPipeline } from '../../support/pipeline.ts';
import { waitedMs } from '../../support/processes/waited.ts';

const FILES = [
  'api/CacheStore.md',
  'api/RetryHandler.md',
  'api/Cookies.md',
  'api/Debug.md',
  'api/MockAgent.md',
  'api/Pool.md',
  'api/Client.md',
  'api/Dispatcher.md',
];

/** Follow-ups that are ambiguous alone, each with the full question and words of the expected passage. */
const TURNS = [
  { asked: 'Which statuses does the RetryHandler try again?', whole: '', says: 'statusCodes' },
  {
    asked: 'And how long does it wait at most?',
    whole: 'How long does the RetryHandler wait at most (maxTimeout)?',
    says: 'maxTimeout',
  },
  {
    asked: 'Which methods are those?',
    whole: 'Which HTTP methods does the RetryHandler try again?',
    says: 'methods',
  },
  {
    asked: 'Does it obey a header of the server there?',
    whole: 'Does the RetryHandler obey the Retry-After header?',
    says: 'retryAfter',
  },
  {
    asked: 'How do I set that up?',
    whole: 'How do I construct a RetryHandler with options?',
    says: 'new RetryHandler',
  },
  {
    asked: 'What does its state hold?',
    whole: 'What does the RetryState of the RetryHandler hold?',
    says: 'RetryState',
  },
];

/** Answers with the script after a delay, and records the questions. */
function scripted(answer: string, { afterMs = 0 } = {}): LanguageModel & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    ...{ provider: 'a', model: 'scripted', requests },
    async *stream(request) {
      requests.push(request);
      await new Promise((resolve) => setTimeout(resolve, afterMs).unref());
      yield { type: 'text', text: answer };
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 30, outputTokens: 5 } };
    },
  };
}

const pipeline = await startPipeline();
pipeline.ports.embedder = undefined;
const { ports } = pipeline;
const { signal } = new AbortController();
let workspace: Awaited<ReturnType<typeof pipeline.makeWorkspace>>;

beforeAll(async () => {
  workspace = await pipeline.makeWorkspace();
  for (const path of FILES) await workspace.write(path, await readFile(join(undiciSet.folder, path)));
  await workspace.sync();
});

/** Returns the conversation up to a turn. The answers contain nothing useful for search. */
function conversation(turn: number): ChatMessage[] {
  const before = TURNS.slice(0, turn).flatMap(({ asked }) => [
    { role: 'user' as const, text: asked },
    { role: 'assistant' as const, text: 'The RetryHandler does that [1].' },
  ]);
  return [...before, { role: 'user', text: TURNS[turn]?.asked ?? '' }];
}

const OFFERED = 12;

/** Returns the texts of the discussed file among the first results. */
function textsOf(passages: ScoredPassage[], first = 3): string[] {
  return passages
    .slice(0, first)
    .filter(({ path }) => path === FILES[1])
    .map(({ text }) => text);
}

async function offered(turn: number, model: LanguageModel, deadlineMs?: number) {
  const asked = { workspaceId: workspace.id, messages: conversation(turn), model, signal };
  const found = await findPassages(ports, asked, deadlineMs);
  const passages = selectPassages(found.passages, found.question);
  return { ...found, texts: textsOf(passages), offered: textsOf(passages, OFFERED) };
}

const followUps = TURNS.map((turn, index) => ({ ...turn, index })).slice(1);

describe('follow-up question', () => {
  it.each([
    [50, 0],
    [5000, 1],
    [undefined, 1],
  ])(
    'is rewritten by a local server only if it is fast enough: %s tokens per second',
    async (speed, asked) => {
      const model = scripted(TURNS[1]?.whole ?? '');
      model.ownServer = async () => ({ patienceMs: 60_000, tokensReadPerSecond: speed });
      await offered(1, model);
      expect(model.requests).toHaveLength(asked);
    },
  );

  it('mostly finds other passages on its own', async () => {
    const found = await Promise.all(
      followUps.map(async ({ asked, says }) => {
        const { passages } = await searchPassages(ports, workspace.id, asked);
        return textsOf(selectPassages(passages, asked)).join('\n').includes(says);
      }),
    );
    expect(found.filter((right) => right).length).toBeLessThan(3);
  });

  it.each(followUps)(
    'finds its passage when the model rewrites it: $asked',
    async ({ index, whole, says }) => {
      const model = scripted(whole);
      const { texts, query, usage } = await offered(index, model);
      expect(texts.join('\n')).toContain(says);
      expect([query, usage]).toEqual([whole, { inputTokens: 30, outputTokens: 5 }]);
      const [request] = model.requests;
      expect(request?.maxOutputTokens).toBe(200);
      expect(request?.messages[0]?.content).toContain(TURNS[index - 1]?.asked);
    },
  );

  it.each(followUps)(
    'finds its passage by the earlier turns, even without the model: $asked',
    async ({ index, says, asked }) => {
      const failing: LanguageModel = {
        ...scripted(''),
        // biome-ignore lint/correctness/useYield: it throws first
        async *stream() {
          throw new Error('down');
        },
      };
      const found = await offered(index, failing);
      const { query } = found;
      expect(found.offered.join('\n')).toContain(says);
      expect(query).toContain(asked);
    },
  );

  it("doesn't wait for a slow model", async () => {
    const ask = async () => {
      const { query, usage } = await offered(1, scripted('too late', { afterMs: 5000 }), 50);
      expect(query).toContain('RetryHandler');
      expect(usage).toEqual({ inputTokens: null, outputTokens: null });
    };
    expect(await waitedMs(ask)).toBeLessThan(3000);
  });

  it('is also searched unchanged if the model answers it instead', async () => {
    const asked = 'Which mock intercepts requests?';
    const messages: ChatMessage[] = [...conversation(1).slice(0, -1), { role: 'user', text: asked }];
    const model = scripted('The files say nothing about cookies.');
    const { passages } = await findPassages(ports, { workspaceId: workspace.id, messages, model, signal });
    expect(passages.slice(0, 3).map(({ path }) => path)).toContain('api/MockAgent.md');
  });

  it('is searched unchanged if it is complete', async () => {
    const { query } = await offered(1, scripted(TURNS[1]?.asked ?? ''));
    expect(query).toBeUndefined();
  });
});

async function finishOf(messages: ChatMessage[], model: LanguageModel) {
  const request = {
    workspace: { ...workspace, name: 'w', createdAt: '' },
    actor: 'c',
    messages,
    model,
    signal,
  };
  const parts = [];
  for await (const part of answerChat(ports, request)) parts.push(part);
  return { parts, finish: parts.at(-1) as Record<string, unknown> };
}

describe('chat answer', () => {
  it('costs one model call for a first question', async () => {
    const model = scripted('Fine.');
    const { finish, parts } = await finishOf(conversation(0), model);
    expect(model.requests).toHaveLength(1);
    expect(finish).not.toMatchObject({ messageMetadata: { retrieval: { query: expect.anything() } } });
    expect(parts.filter(({ type }) => type === 'data-notice')).toEqual([]);
  });

  it('reports the search query of a later question, and counts its tokens', async () => {
    const { finish } = await finishOf(conversation(1), scripted('What is the maxTimeout?'));
    expect(finish).toMatchObject({
      messageMetadata: {
        usage: { inputTokens: 60, outputTokens: 10 },
        retrieval: { query: 'What is the maxTimeout?' },
      },
    });
  });

  it('warns the reader and the model if no file is close', async () => {
    const model = scripted('I do not know.');
    const { parts } = await finishOf(
      [{ role: 'user', text: 'What is the boiling point of unobtainium?' }],
      model,
    );
    const notices = parts.filter(({ type }) => type === 'data-notice');
    expect(notices).toMatchObject([{ data: { code: 'nothing-near' } }]);
    expect(model.requests[0]?.messages.at(-1)?.content).toMatch(
      /None of these passages is similar|No passage was found/,
    );
  });
});
