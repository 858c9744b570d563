import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../lib/config.ts';
import { UpstreamFailed } from '../../../lib/errors.ts';
import type { Embedder, EmbedOptions } from '../../../lib/ports/embedder.ts';
import type { PassageTable } from '../../../lib/ports/vectors.ts';
import { embedderOf, embedQuestion } from '../../../lib/retrieval/embed-question.ts';
import { openEmbedder } from '../../../lib/wiring/embedder.ts';
import { hashedWords, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { whenDone } from '../../support/temp-folder.ts';

/**
 * Opens an embedder with responses from the test and a clock that the test sets, each with a separate model.
 */
let models = 0;
function makeEmbedder(answer: () => Promise<Float32Array[]>) {
  const seen: EmbedOptions[] = [];
  const embedder: Embedder = {
    model: `model ${++models}`,
    batchSize: 1,
    async embed(_, options = {}) {
      seen.push(options);
      return answer();
    },
  };
  const now = { ms: 0 };
  const ask = (deadlineMs = 1000) =>
    embedQuestion(tableOf([]), {
      embedder,
      isConfigured: true,
      question: 'apes?',
      deadlineMs,
      clock: { now: () => now.ms },
    });
  return { ask, now, seen };
}

/** A table with the rows of one file. */
function tableOf(rows: { text: string; vector: Float32Array | null }[]): PassageTable {
  return {
    async *passages() {
      yield rows.map(() => ({ path: 'a.md' }));
    },
    rowsOf: async () => rows,
  } as unknown as PassageTable;
}

const vector = [Float32Array.of(1)];
const refuses = () =>
  Promise.reject(new UpstreamFailed('upstream_failed', 'the input is too large', { refusedRequest: true }));
const down = () => Promise.reject(new Error('refused'));

describe('failed embedder', () => {
  it('is distinguished from an embedder that rejects a question, so that other questions are sent immediately', async () => {
    let answer = refuses as () => Promise<Float32Array[]>;
    const { ask } = makeEmbedder(() => answer());
    expect(await ask()).toBeUndefined();
    answer = async () => vector;
    expect(await ask()).toBe(vector[0]);
  });

  it('is paused after a failure, for longer after each failure, and called again once it responds', async () => {
    let answer = down as () => Promise<Float32Array[]>;
    const { ask, now, seen } = makeEmbedder(() => answer());
    const asksAt = async (ms: number) => {
      now.ms = ms;
      const before = seen.length;
      await ask();
      return seen.length - before;
    };
    expect(await asksAt(0)).toBe(1);
    expect([await asksAt(1), await asksAt(4999), await asksAt(5000)]).toEqual([0, 0, 1]);
    expect([await asksAt(14_999), await asksAt(15_000)]).toEqual([0, 1]);
    for (const ms of [100_000, 200_000, 300_000]) await asksAt(ms);
    expect([await asksAt(359_999), await asksAt(360_000)]).toEqual([0, 1]); // never longer than a minute
    answer = async () => vector;
    now.ms = 420_000;
    expect(await ask()).toEqual(vector[0]);
    expect([await asksAt(420_001), await asksAt(420_002)]).toEqual([1, 1]);
  });

  it("delays one search up to the deadline, but doesn't delay searches during the next attempt", async () => {
    const { ask, now, seen } = makeEmbedder(() => new Promise(() => {}));
    expect(await ask(5)).toBeUndefined();
    now.ms = 5000;
    const probe = ask(50);
    expect(await Promise.all([ask(1_000_000), ask(1_000_000)])).toEqual([undefined, undefined]);
    await probe;
    expect(seen).toHaveLength(2);
  });

  it('is paused once after several concurrent failures', async () => {
    const { ask, now, seen } = makeEmbedder(down);
    await Promise.all([ask(), ask(), ask()]);
    now.ms = 5000;
    await ask();
    expect(seen).toHaveLength(4);
    expect(seen.every(({ question }) => question)).toBe(true);
  });
});

describe('index with another model than the configured one', () => {
  const text = 'Apes climb trees';
  const table = tableOf([
    { text: 'not embedded', vector: null },
    { text, vector: hashedWords(text) },
  ]);

  async function askOld(environment: Record<string, string>, model: string, rows = table) {
    const embedder = embedderOf(model, openEmbedder(readConfig(environment)));
    if (embedder === undefined) return undefined;
    return embedQuestion(rows, { embedder, isConfigured: false, question: text, deadlineMs: 5000 });
  }

  async function startProvider() {
    const provider = await startFakeOpenai();
    whenDone(() => provider.stop());
    return provider;
  }

  it('is queried with its own model at the configured URL', async () => {
    const provider = await startProvider();
    const environment = { EMBEDDING_BASE_URL: provider.url, EMBEDDING_MODEL: 'new' };
    expect(await askOld(environment, 'old')).toHaveLength(384);
    expect(provider.embeddingRequests).toBe(2); // the question, and a passage for comparison
    expect(await askOld(environment, 'old')).toHaveLength(384);
    expect(provider.embeddingRequests).toBe(3);
  });

  it('is queried at the service of its model, even if another service is configured now', async () => {
    const [provider, other] = [await startProvider(), await startProvider()];
    const environment = {
      EMBEDDING_BASE_URL: other.url,
      EMBEDDING_MODEL: 'new',
      PROVIDER_C_BASE_URL: provider.url,
    };
    expect(await askOld(environment, 'gemini-embedding-001')).toHaveLength(384);
    expect([provider.embeddingRequests, other.embeddingRequests]).toEqual([2, 0]);
  });

  it('is searched by keywords if the service responds with its own model', async () => {
    const provider = await startProvider();
    provider.scaleVectors = (data) =>
      data.map(({ embedding, ...rest }) => ({ ...rest, embedding: [...embedding].reverse() }));
    const environment = { EMBEDDING_BASE_URL: provider.url, EMBEDDING_MODEL: 'new' };
    expect(await askOld(environment, 'older')).toBeUndefined();
    expect(await askOld(environment, 'oldest', tableOf([]))).toBeUndefined();
  });

  it('is searched by keywords if the service rejects the model, without an immediate retry', async () => {
    const provider = await startProvider();
    provider.embeddingFailure = 'unauthorized';
    const environment = { EMBEDDING_BASE_URL: provider.url, EMBEDDING_MODEL: 'new' };
    expect(await askOld(environment, 'refused')).toBeUndefined();
    expect(await askOld(environment, 'refused')).toBeUndefined();
    expect(provider.embeddingRequests).toBe(1);
  });

  it('is searched by keywords without a configuration', async () => {
    expect(await askOld({}, 'old')).toBeUndefined();
    expect(embedderOf(null, openEmbedder(readConfig({ EMBEDDING_API_KEY: 'k' })))).toBeUndefined();
  });
});
