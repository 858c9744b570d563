import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cohereReranker } from '../../../lib/adapters/cohere/reranker.ts';
import type { ScoredPassage } from '../../../lib/ports/vectors.ts';
import { rerank } from '../../../lib/retrieval/rank/rerank.ts';
import { waitedMs } from '../../support/processes/waited.ts';
import { whenDone } from '../../support/temp-folder.ts';

interface Asked {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

const service = { asked: [] as Asked[], status: 200, answer: {} as unknown, silent: false };
let baseUrl = '';

beforeAll(async () => {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString());
      service.asked.push({ url: request.url, headers: request.headers, body });
      if (service.silent) return;
      response.writeHead(service.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(service.answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/`;
});

beforeEach(() => {
  Object.assign(service, { asked: [], status: 200, silent: false });
  service.answer = {
    results: [
      { index: 1, relevance_score: 0.9 },
      { index: 0, relevance_score: 0.2 },
    ],
  };
});

const open = (model = 'm') => cohereReranker({ apiKey: 'sk-secret', baseUrl, model });
const soon = () => ({ signal: AbortSignal.timeout(5000), withinMs: 4000 });

describe("Cohere's rerank", () => {
  it('returns the relevance of each document in the order of the documents', async () => {
    expect(await open().rerank('q', ['a', 'b', 'c'], soon())).toEqual([0.2, 0.9, undefined]);
    expect(service.asked).toMatchObject([
      { url: '/v2/rerank', headers: { authorization: 'Bearer sk-secret' } },
    ]);
    expect(service.asked[0]?.body).toEqual({ model: 'm', query: 'q', documents: ['a', 'b', 'c'], top_n: 3 });
  });

  it('sends the remaining time to a server that accepts it', async () => {
    const local = cohereReranker({ baseUrl, model: 'm', takesTime: true });
    await local.rerank('q', ['a', 'b'], soon());
    expect(service.asked[0]?.body).toMatchObject({ max_ms: 4000 });
    await rerank({ reranker: local }, 'q', { nearness: 0, passages: [{ text: 'a' } as ScoredPassage] });
    expect(service.asked[1]?.body).toMatchObject({ max_ms: 1000 }); // a search waits for 1.5 s
  });

  it.each([
    ['a refusal', 401, { message: 'sk-secret is wrong' }, 'The reranker refused the key.'],
    ['a failure', 500, {}, 'The reranker failed (500).'],
    ['another format', 200, { data: [] }, "The reranker returned an answer that can't be read."],
  ])('throws for %s', async (_, status, answer, message) => {
    Object.assign(service, { status, answer });
    await expect(open().rerank('q', ['a'], soon())).rejects.toThrow(message);
  });
});

describe('a search with a reranker', () => {
  const passage = (path: string, score: number) =>
    ({ path, score, text: path, context: path === 'b' ? 'Above b' : '' }) as ScoredPassage;
  const ranking = { nearness: 0.5, passages: [passage('a', 0.5), passage('b', 0.3)] };

  it('uses its order and scores, and sends the headings with each passage', async () => {
    const { nearness, passages } = await rerank({ reranker: open('order') }, 'q', ranking);
    expect(nearness).toBe(0.5); // each model has its own scale
    expect(passages.map(({ path, score }) => [path, score])).toEqual([
      ['b', 0.9],
      ['a', 0.2],
    ]);
    expect(service.asked[0]?.body.documents).toEqual(['a', 'Above b\n\nb']);
  });

  it('puts passages without a score after the others, in their original order', async () => {
    service.answer = { results: [{ index: 2, relevance_score: 0.4 }] };
    const three = { nearness: 0.5, passages: [...ranking.passages, passage('c', 0.1)] };
    const { nearness, passages } = await rerank({ reranker: open('short of time') }, 'q', three);
    expect(nearness).toBe(0.5);
    expect(passages.map(({ path }) => path)).toEqual(['c', 'a', 'b']);
    service.answer = { results: [] };
    expect(await rerank({ reranker: open('without time') }, 'q', three)).toEqual(three);
  });

  it('continues without the reranker after a failure and pauses it for a while', async () => {
    service.status = 500;
    const reranker = open('failing');
    expect(await rerank({ reranker }, 'q', ranking)).toEqual(ranking);
    expect(await rerank({ reranker }, 'q', ranking)).toEqual(ranking);
    expect(service.asked).toHaveLength(1);
  });

  it('asks the reranker again immediately after it rejected one question', async () => {
    service.status = 400;
    const reranker = open('particular');
    expect(await rerank({ reranker }, 'q', ranking)).toEqual(ranking);
    service.status = 200;
    expect((await rerank({ reranker }, 'q', ranking)).passages[0]?.path).toBe('b');
  });

  it('gives up on a slow reranker', async () => {
    service.silent = true;
    const work = async () =>
      expect(await rerank({ reranker: open('silent') }, 'q', ranking)).toEqual(ranking);
    expect(await waitedMs(work)).toBeLessThan(4000);
  });
});
