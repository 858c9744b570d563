import { describe, expect, it } from '@jest/globals';
import { arxivCatalog } from '../../../lib/adapters/arxiv/catalog.ts';
import { cohereReranker } from '../../../lib/adapters/cohere/reranker.ts';
import { requestFeishuToken } from '../../../lib/adapters/feishu/client.ts';
import { huggingFaceHub } from '../../../lib/adapters/hugging-face/hub.ts';
import { sdkMcpRemote } from '../../../lib/adapters/mcp/client.ts';
import { modelScopeHub } from '../../../lib/adapters/modelscope/hub.ts';
import { openAlexCatalog } from '../../../lib/adapters/openalex/catalog.ts';
import { semanticScholarCatalog } from '../../../lib/adapters/semantic-scholar/catalog.ts';
import { predictEntailment } from '../../../lib/adapters/text-embeddings-inference/entailment.ts';
import { requestWecomToken } from '../../../lib/adapters/wecom/client.ts';
import type { Catalog } from '../../../lib/ports/papers.ts';
import { countIssuerKeys } from '../../../lib/tokens/oidc.ts';
import { type HostileBody, startHostileProvider } from '../../support/fakes/hostile-provider.ts';
import { longestSlice, MOST_SLICE_MS } from '../../support/processes/longest-slice.ts';
import { whenDone } from '../../support/temp-folder.ts';

const JSON_TYPE = 'application/json';
const signal = new AbortController().signal;

type Call = (baseUrl: string) => Promise<unknown>;
const settingsOf = (baseUrl: string) => ({ baseUrl, trusted: true });
const find = (catalog: Catalog) => catalog.find({ keywords: ['x'], limit: 10 }, { signal });
const mcp = sdkMcpRemote({ allowAnyPort: true, isPublic: () => true });
const server = (url: string) => ({ url: `${url}/mcp`, headers: {} });
const limits = { signal, timeoutMs: 3000 };
const repo = { type: 'dataset', id: 'a/b', revision: 'main' } as const;
const first = async (pages: AsyncIterable<unknown>) => pages[Symbol.asyncIterator]().next();

const CALLS: Record<string, Call> = {
  'a reranker': (baseUrl) =>
    cohereReranker({ baseUrl, model: 'm' }).rerank('q', ['a'], { signal, withinMs: 1000 }),
  'an entailment model': (baseUrl) =>
    predictEntailment({ baseUrl, model: 'm' }).entail([{ premise: 'p', hypothesis: 'h' }], {
      signal,
      withinMs: 1000,
    }),
  Feishu: (baseUrl) => requestFeishuToken({ baseUrl, appId: 'a', appSecret: 'b' }, signal),
  WeCom: (baseUrl) => requestWecomToken({ baseUrl, corpId: 'a', corpSecret: 'b', agentId: '1' }, signal),
  'an OIDC issuer': (baseUrl) => countIssuerKeys(baseUrl),
  'a description of Hugging Face': (baseUrl) => huggingFaceHub(settingsOf(baseUrl)).info(repo),
  'files of Hugging Face': (baseUrl) =>
    first(huggingFaceHub(settingsOf(baseUrl)).listFiles({ ...repo, commit: 'c' })),
  'files of ModelScope': (baseUrl) =>
    first(modelScopeHub(settingsOf(baseUrl)).listFiles({ ...repo, commit: 'c' })),
  OpenAlex: (baseUrl) => find(openAlexCatalog(settingsOf(baseUrl))),
  'Semantic Scholar': (baseUrl) => find(semanticScholarCatalog(settingsOf(baseUrl))),
  'tools of an MCP server': (baseUrl) => mcp.listTools(server(baseUrl), limits),
};

const manyNames = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
const NAMES: HostileBody = { type: JSON_TYPE, start: manyNames(90_000) };
const LISTS: HostileBody = { type: JSON_TYPE, start: '[', piece: '{"a":[{}]},', times: 1_900_000, end: '1]' };

async function measure(body: HostileBody, call: Call): Promise<number> {
  const { url, stop } = await startHostileProvider(body);
  whenDone(stop);
  let outcome = '';
  const ms = await longestSlice(async () => {
    outcome = await call(url).then(
      () => 'read',
      (error) => `${error.code}: ${error.message}`,
    );
  });
  if (process.env.TELL) console.error(`${ms.toFixed(0)} ms: ${outcome}`);
  return ms;
}

describe('malicious service', () => {
  it.each(Object.entries(CALLS))(
    "doesn't block the event loop with many names from %s",
    async (_name, call) => {
      expect(await measure(NAMES, call)).toBeLessThan(MOST_SLICE_MS);
    },
  );

  it.each(Object.entries(CALLS))(
    "doesn't block the event loop with 20 MB of lists from %s",
    async (_name, call) => {
      expect(await measure(LISTS, call)).toBeLessThan(MOST_SLICE_MS);
    },
  );

  const atom = (inner: Omit<HostileBody, 'type'>): HostileBody => ({
    ...{ type: 'application/atom+xml', ...inner },
    ...{ start: `<feed>${inner.start ?? ''}`, end: '</feed>' },
  });
  it.each([
    ['elements', atom({ piece: '<a/>', times: 8_000_000 })],
    ['names', atom({ start: Array.from({ length: 90_000 }, (_, at) => `<a${at}/>`).join('') })],
    ['text', atom({ piece: 'x '.repeat(100), times: 150_000 })],
  ])("doesn't block the event loop with a feed of many %s", async (_name, body) => {
    expect(await measure(body, (baseUrl) => find(arxivCatalog(settingsOf(baseUrl))))).toBeLessThan(
      MOST_SLICE_MS,
    );
  });

  const MESSAGE = '{"jsonrpc":"2.0","id":1,"result":';
  it.each([
    ['as JSON', { type: JSON_TYPE, start: `${MESSAGE}${manyNames(150_000)}}` }],
    [
      'as an event',
      { type: 'text/event-stream', start: `event: message\ndata: ${MESSAGE}${manyNames(150_000)}}\n\n` },
    ],
    ['in an endless line', { type: 'text/event-stream', start: 'data: ', piece: '[', times: 5_000_000 }],
    ['as comments', { type: 'text/event-stream', piece: ':\n', times: 900_000 }],
  ])("doesn't block the event loop with an MCP result %s", async (_name, body) => {
    const call: Call = (url) => mcp.callTool(server(url), { name: 'x', input: {} }, limits);
    expect(await measure(body, call)).toBeLessThan(MOST_SLICE_MS);
  });

  it('can return abstracts of thirty papers whose words are field names', async () => {
    const words = (paper: number) =>
      Array.from({ length: 300 }, (_, at) => [`w${(at * 7919 * paper) % 5003}`, [at]]);
    const results = Array.from({ length: 30 }, (_, at) => ({
      id: `W${at}`,
      abstract_inverted_index: Object.fromEntries(words(at + 1)),
    }));
    const { url, stop } = await startHostileProvider({ type: JSON_TYPE, start: JSON.stringify({ results }) });
    whenDone(stop);
    expect(await find(openAlexCatalog(settingsOf(url)))).toHaveLength(30);
  });

  it('can describe a repository with 50,000 files without blocking the event loop', async () => {
    const file = (at: number) =>
      `{"rfilename":"data/part-${at}.parquet","size":1000,"blobId":"${'a'.repeat(40)}","lfs":{"sha256":"${'b'.repeat(64)}","size":1000,"pointerSize":135}}`;
    const files = Array.from({ length: 50_000 }, (_, at) => file(at)).join(',');
    const body = { type: JSON_TYPE, start: `{"id":"a/b","sha":"c","siblings":[${files}]}` };
    let count: number | null = 0;
    const ms = await measure(body, async (baseUrl) => {
      count = (await huggingFaceHub(settingsOf(baseUrl)).info(repo)).totalFiles;
    });
    expect(ms).toBeLessThan(MOST_SLICE_MS);
    expect(count).toBe(50_000);
  });
});
