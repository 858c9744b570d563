import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { embedderServer } from '../../../infra/embedder/server.ts';
import { cohereReranker } from '../../../lib/adapters/cohere/reranker.ts';
import { openaiEmbedder } from '../../../lib/adapters/openai/embedder.ts';
import { predictEntailment } from '../../../lib/adapters/text-embeddings-inference/entailment.ts';
import { whenDone } from '../../support/temp-folder.ts';

const MODEL = 'small@1';
const prefixes = { query: 'query: ', passage: 'passage: ' };
const RERANKER = 'cross@2';
const ENTAILMENT = 'nli@3';

/**
 * The inputs of the models in this test, by run. A run that outlives its test adds to the lists of that test.
 */
let runs: string[][];
let scored: string[][];
/** Number of earlier embedder runs for each pair. */
let runsBefore: number[];
let beforeRun: (() => Promise<unknown>) | undefined;
let scoringMs: number;

let server: Server;
let baseUrl: string;

beforeEach(async () => {
  runs = [];
  scored = [];
  runsBefore = [];
  beforeRun = undefined;
  scoringMs = 0;
  server = embedderServer(
    {
      embedder: {
        model: MODEL,
        prefixes,
        loaded: Promise.resolve(embedInto(runs)),
      },
      reranker: { model: RERANKER, prefixes, loaded: Promise.resolve(scoreInto(scored, runsBefore, runs)) },
      entailment: {
        model: ENTAILMENT,
        prefixes,
        loaded: Promise.resolve(labelInto(scored, runsBefore, runs)),
      },
    },
    'secret',
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function embedInto(given: string[][]) {
  return async (texts: string[]) => {
    await beforeRun?.();
    given.push(texts);
    if (texts.some((text) => text.includes('poison'))) throw new Error('out of range');
    return texts.map((text) => Float32Array.of(text.length, 1));
  };
}

/** The score of a text is the number in it. */
function scoreInto(given: string[][], before: number[], embedded: string[][]) {
  return async (_: string, text: string) => {
    await sleep(scoringMs);
    given.push([text]);
    before.push(embedded.length);
    return Number(text);
  };
}

/** The entailment of a sentence is the number in it. */
function labelInto(given: string[][], before: number[], embedded: string[][]) {
  return async (premise: string, hypothesis: string) => {
    await sleep(scoringMs);
    given.push([premise, hypothesis]);
    before.push(embedded.length);
    const score = Number(hypothesis);
    return [
      { label: 'neutral', score: 1 - score },
      { label: 'entailment', score },
    ];
  };
}

/** Holds the first run of the embedder. `begun` resolves when it waits, `end` lets it continue. */
function holdFirstRun() {
  const begun = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  beforeRun = () => {
    begun.resolve();
    return first.promise;
  };
  return { begun: begun.promise, end: first.resolve };
}

/** Resolves when the server has read the next request, which then waits for its turn. */
async function nextRequestWaits(): Promise<void> {
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  await once(request, 'end');
  await sleep(0);
  await setImmediate();
}

function embedder(apiKey = 'secret') {
  const settings = { apiKey, baseUrl };
  return openaiEmbedder({
    who: 'The local embedder',
    settings,
    model: MODEL,
    tellsQuestions: true,
  });
}

async function post(
  body: string,
  headers: Record<string, string> = { authorization: 'Bearer secret' },
  route = 'embeddings',
) {
  return (await fetch(`${baseUrl}/${route}`, { method: 'POST', body, headers })).status;
}

function reranker() {
  return cohereReranker({ apiKey: 'secret', baseUrl, model: RERANKER, takesTime: true });
}

function entail(hypotheses: string[], options = soon()) {
  const model = predictEntailment({ apiKey: 'secret', baseUrl, model: ENTAILMENT, takesTime: true });
  return model.entail(
    hypotheses.map((hypothesis) => ({ premise: 'owls', hypothesis })),
    options,
  );
}

const soon = (withinMs = 5000) => ({ signal: AbortSignal.timeout(5000), withinMs });

it("embedder server speaks the protocol, with the model's prefixes for questions and passages", async () => {
  const [passage] = await embedder().embed(['owls']);
  const [question] = await embedder().embed(['owls'], { question: true });
  expect(runs).toEqual([['passage: owls'], ['query: owls']]);
  expect(passage?.[0]).toBeCloseTo(13 / Math.hypot(13, 1), 5);
  expect(question?.[0]).toBeCloseTo(11 / Math.hypot(11, 1), 5);
});

it('embedder server prefers a question to waiting passages', async () => {
  const first = holdFirstRun();
  const passages = embedder().embed(Array.from({ length: 12 }, (_, number) => `passage ${number}`));
  await first.begun;
  const waits = nextRequestWaits();
  const asked = embedder().embed(['why?'], { question: true });
  await waits;
  first.end();
  await Promise.all([asked, passages]);
  expect(runs.findIndex(([text]) => text === 'query: why?')).toBe(1);
  expect(runs.flat()).toHaveLength(13);
  expect(Math.max(...runs.map(({ length }) => length))).toBe(4);
});

it("embedder server doesn't embed for disconnected clients", async () => {
  const controller = new AbortController();
  beforeRun = async () => {
    controller.abort();
    await sleep(50); // until the server notices it
  };
  const texts = Array.from({ length: 40 }, (_, number) => `text ${number}`);
  await expect(embedder().embed(texts, { signal: controller.signal })).rejects.toThrow();
  expect(await post(JSON.stringify({ model: MODEL, input: 'next' }))).toBe(200);
  expect(runs.flat().length).toBeLessThan(40);
});

it.each([
  ['no key', 401, '{}', {}],
  ['another key', 401, '{}', { authorization: 'Bearer sesame' }],
  ['invalid JSON', 400, '{', undefined],
  ['another model', 404, { model: 'gpt', input: 'x' }, undefined],
  ['no text', 400, { model: MODEL }, undefined],
  ['an empty text', 400, { model: MODEL, input: ['x', ''] }, undefined],
  ['too many texts', 400, { model: MODEL, input: Array(101).fill('x') }, undefined],
  ['a body that is too large', 413, 'x'.repeat(5_000_000), undefined],
  ['a text that crashes the model', 500, { model: MODEL, input: 'poison' }, undefined],
])('embedder server rejects a request with %s, and continues', async (_, status, body, headers) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect(await post(text, headers)).toBe(status);
  expect(await post(JSON.stringify({ model: MODEL, input: 'fine' }))).toBe(200);
});

it('embedder server scores the documents one by one, in their order', async () => {
  const documents = ['0.3', '0.9', '0.1', '0.2', '0.8'];
  expect(await reranker().rerank('why?', documents, soon())).toEqual(documents.map(Number));
  expect(scored).toEqual(documents.map((document) => [document]));
});

it('embedder server skips documents for which no time is left', async () => {
  scoringMs = 60;
  const documents = Array.from({ length: 40 }, (_, number) => String(number / 100));
  const scores = await reranker().rerank('why?', documents, soon(100));
  expect(scores[0]).toBe(0);
  expect(scores.slice(-20)).toEqual(Array(20).fill(undefined));
});

it('embedder server skips documents without a number, and answers in time while passages are embedded', async () => {
  expect(await reranker().rerank('why?', ['0.3', 'none', '0.1'], soon())).toEqual([0.3, undefined, 0.1]);
  const first = holdFirstRun();
  const passages = embedder().embed(['passage']);
  await first.begun;
  expect(await reranker().rerank('why?', ['0.3'], soon(100))).toEqual([undefined]);
  first.end();
  await passages;
  expect(scored.filter(([text]) => text === '0.3')).toHaveLength(1);
});

it('embedder server does not score for disconnected clients', async () => {
  scoringMs = 20;
  const asked = { signal: AbortSignal.timeout(100), withinMs: 5000 };
  await expect(reranker().rerank('why?', Array(90).fill('0.5'), asked)).rejects.toThrow();
  await reranker().rerank('and now?', ['0.9'], soon());
  expect(scored.length).toBeLessThan(60);
});

it('embedder server labels the pairs one by one, and skips pairs without numbers or time', async () => {
  expect(await entail(['0.75', 'none', '0.25'])).toEqual([
    { entailment: 0.75, contradiction: 0 },
    undefined,
    { entailment: 0.25, contradiction: 0 },
  ]);
  expect(scored[0]).toEqual(['owls', '0.75']);
  scoringMs = 60;
  const scores = await entail(Array(30).fill('0.5'), soon(100));
  expect([scores[0]?.entailment, scores.at(-1)]).toEqual([0.5, undefined]);
});

it('embedder server scores search results before waiting sentences, and sentences before passages', async () => {
  const first = holdFirstRun();
  const passages = embedder().embed(Array.from({ length: 12 }, (_, number) => `passage ${number}`));
  await first.begun;
  const sentence = nextRequestWaits();
  const judged = entail(['0.75']);
  await sentence;
  const search = nextRequestWaits();
  const ranked = reranker().rerank('why?', ['0.5'], soon());
  await search;
  first.end();
  await Promise.all([passages, judged, ranked]);
  expect(scored).toEqual([['0.5'], ['owls', '0.75']]);
  expect(runsBefore).toEqual([1, 1]);
});

it('embedder server scores all texts of a search before the waiting passages', async () => {
  const first = holdFirstRun();
  const passages = embedder().embed(Array.from({ length: 12 }, (_, number) => `passage ${number}`));
  await first.begun;
  const waits = nextRequestWaits();
  const scores = reranker().rerank('why?', ['0.5', '0.4', '0.3'], soon());
  await waits;
  first.end();
  await Promise.all([scores, passages]);
  expect(runsBefore).toEqual([1, 1, 1]);
  expect(runs.flat()).toHaveLength(12);
});

it.each([
  ['another key', 401, '{}', { authorization: 'Bearer sesame' }],
  ['no documents', 400, { model: RERANKER, query: 'why?' }, undefined],
  ['no question', 400, { model: RERANKER, query: '', documents: ['0'] }, undefined],
  ['an empty document', 400, { model: RERANKER, query: 'why?', documents: [''] }, undefined],
  ['too many documents', 400, { model: RERANKER, query: 'why?', documents: Array(101).fill('0') }, undefined],
  ['the model of the embedder', 404, { model: MODEL, query: 'why?', documents: ['0'] }, undefined],
])('embedder server rejects a rerank request with %s', async (_, status, body, headers) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect(await post(text, headers, 'rerank')).toBe(status);
});

it.each([
  ['another key', 401, '{}', { authorization: 'Bearer sesame' }],
  ['no pairs', 400, { model: ENTAILMENT }, undefined],
  ['a string instead of a pair', 400, { model: ENTAILMENT, inputs: [['owls']] }, undefined],
  ['an empty text', 400, { model: ENTAILMENT, inputs: [['owls', '']] }, undefined],
  ['too many pairs', 400, { model: ENTAILMENT, inputs: Array(51).fill(['owls', '1']) }, undefined],
  ['the model of the reranker', 404, { model: RERANKER, inputs: [['owls', '1']] }, undefined],
])('embedder server rejects a label request with %s', async (_, status, body, headers) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect(await post(text, headers, 'predict')).toBe(status);
});

it("embedder server has no route for a model that isn't installed", async () => {
  const bare = embedderServer({}, 'secret').listen(0, '127.0.0.1');
  whenDone(async () => bare.close());
  await once(bare, 'listening');
  const url = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/v1/rerank`;
  const headers = { authorization: 'Bearer secret' };
  expect((await fetch(url, { method: 'POST', body: '{}', headers })).status).toBe(404);
});
