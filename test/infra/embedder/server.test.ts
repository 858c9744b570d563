import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from '@jest/globals';
import { embedderServer } from '../../../infra/embedder/server.ts';
import { openaiEmbedder } from '../../../lib/adapters/openai/embedder.ts';
import { whenDone } from '../../support/temp-folder.ts';

const MODEL = 'small@1';
const loaded = Promise.withResolvers<(texts: string[]) => Promise<Float32Array[]>>();
/** What the model was given, run by run. */
const runs: string[][] = [];
let beforeRun: (() => Promise<unknown>) | undefined;

const server = embedderServer({
  embed: loaded.promise,
  key: 'secret',
  manifest: { model: MODEL, prefixes: { query: 'query: ', passage: 'passage: ' } },
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
whenDone(async () => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  loaded.resolve(async (texts) => {
    await beforeRun?.();
    runs.push(texts);
    if (texts.some((text) => text.includes('poison'))) throw new Error('out of range');
    return texts.map((text) => Float32Array.of(text.length, 1));
  });
  runs.length = 0;
  beforeRun = undefined;
});

function embedder(apiKey = 'secret') {
  const settings = { apiKey, baseUrl };
  return openaiEmbedder({
    who: 'The local embedder',
    settings,
    model: MODEL,
    tellsQuestions: true,
  });
}

async function post(body: string, headers: Record<string, string> = { authorization: 'Bearer secret' }) {
  return (await fetch(`${baseUrl}/embeddings`, { method: 'POST', body, headers })).status;
}

it('speaks the protocol, with the words that the model wants before a question and a passage', async () => {
  const [passage] = await embedder().embed(['owls']);
  const [question] = await embedder().embed(['owls'], { question: true });
  expect(runs).toEqual([['passage: owls'], ['query: owls']]);
  expect(passage?.[0]).toBeCloseTo(13 / Math.hypot(13, 1), 5);
  expect(question?.[0]).toBeCloseTo(11 / Math.hypot(11, 1), 5);
});

it('lets a question go before the passages that wait', async () => {
  const begun = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  beforeRun = () => {
    begun.resolve();
    return first.promise;
  };
  const passages = embedder().embed(Array.from({ length: 12 }, (_, number) => `passage ${number}`));
  await begun.promise;
  const heard = new Promise((done) => {
    server.once('request', (request: IncomingMessage) => request.once('end', done));
  });
  const asked = embedder().embed(['why?'], { question: true });
  await heard;
  await sleep(50); // it is read, and waits after a few more turns
  first.resolve();
  await Promise.all([asked, passages]);
  expect(runs.findIndex(([text]) => text === 'query: why?')).toBe(1);
  expect(runs.flat()).toHaveLength(13);
  expect(Math.max(...runs.map(({ length }) => length))).toBe(4);
});

it('does not embed for clients that no longer wait', async () => {
  const controller = new AbortController();
  beforeRun = async () => {
    controller.abort();
    await sleep(50); // until the server hears of it
  };
  const texts = Array.from({ length: 40 }, (_, number) => `text ${number}`);
  await expect(embedder().embed(texts, { signal: controller.signal })).rejects.toThrow();
  expect(await post(JSON.stringify({ model: MODEL, input: 'next' }))).toBe(200);
  expect(runs.flat().length).toBeLessThan(40);
});

it.each([
  ['no key', 401, '{}', {}],
  ['another key', 401, '{}', { authorization: 'Bearer sesame' }],
  ['no JSON', 400, '{', undefined],
  ['another model', 404, { model: 'gpt', input: 'x' }, undefined],
  ['no text', 400, { model: MODEL }, undefined],
  ['an empty text', 400, { model: MODEL, input: ['x', ''] }, undefined],
  ['too many texts', 400, { model: MODEL, input: Array(101).fill('x') }, undefined],
  ['too large a body', 413, 'x'.repeat(5_000_000), undefined],
  ['a text that the model fails at', 500, { model: MODEL, input: 'poison' }, undefined],
])('refuses a request with %s, and continues', async (_, status, body, headers) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect(await post(text, headers)).toBe(status);
  expect(await post(JSON.stringify({ model: MODEL, input: 'fine' }))).toBe(200);
});
