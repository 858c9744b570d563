import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openaiEmbedder } from '../../../lib/adapters/openai/embedder.ts';
import { readConfig } from '../../../lib/config.ts';
import { UpstreamFailed } from '../../../lib/errors.ts';
import { openEmbedder } from '../../../lib/wiring/embedder.ts';
import { type FakeOpenai, hashedWords, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { whenDone } from '../../support/temp-folder.ts';

let provider: FakeOpenai;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
});
afterEach(() => {
  provider.embeddingFailure = undefined;
  provider.scaleVectors = (vectors) => vectors;
});

const embedder = () =>
  openaiEmbedder({
    who: 'the embedding service',
    settings: { apiKey: 'k', baseUrl: provider.url },
    model: 'm',
  });

describe('openaiEmbedder', () => {
  it('returns one unit vector per text, in order', async () => {
    const texts = ['zebra crossing', '斑马', 'zebra crossing'];
    const vectors = await embedder().embed(texts);
    vectors.forEach((vector, at) => {
      const expected = hashedWords(texts[at] ?? '');
      expect(vector).toHaveLength(expected.length);
      expect(dot(vector, expected)).toBeCloseTo(1, 5);
    });
  });

  it('normalizes vectors and restores their order', async () => {
    provider.scaleVectors = (data) =>
      data
        .map(({ embedding, ...rest }) => ({ ...rest, embedding: (embedding as number[]).map((v) => v * 7) }))
        .reverse();
    const [first, second] = await embedder().embed(['ape', 'bear']);
    expect(Math.hypot(...(first ?? []))).toBeCloseTo(1, 5);
    expect(dot(first, hashedWords('ape'))).toBeCloseTo(1, 5);
    expect(dot(second, hashedWords('bear'))).toBeCloseTo(1, 5);
  });

  it('sends no request for an empty list of texts', async () => {
    const before = provider.embeddingRequests;
    expect(await embedder().embed([])).toEqual([]);
    expect(provider.embeddingRequests).toBe(before);
  });

  it('retries after a rate limit, then fails with a readable message', async () => {
    provider.embeddingFailure = 'rate-limited';
    const before = provider.embeddingRequests;
    const failure = embedder().embed(['x']);
    await expect(failure).rejects.toThrow(UpstreamFailed);
    await expect(failure).rejects.toThrow(/the embedding service is at its rate limit/);
    expect(provider.embeddingRequests - before).toBe(5);
  });

  it('does not retry after a rejected key', async () => {
    provider.embeddingFailure = 'unauthorized';
    const before = provider.embeddingRequests;
    await expect(embedder().embed(['x'])).rejects.toThrow(/refused the key/);
    expect(provider.embeddingRequests - before).toBe(1);
  });

  it.each([
    ['too few', (data: object[]) => data.slice(1)],
    ['one with other dimensions', (data: object[]) => [{ ...data[0], embedding: [1, 2] }, data[1]]],
    ['one of zeros', (data: object[]) => [{ ...data[0], embedding: [0, 0] }, data[1]]],
    ["one that isn't a number", (data: object[]) => [{ ...data[0], embedding: [null, 'x'] }, data[1]]],
    ['one twice', (data: object[]) => [data[0], data[0]]],
    ['one at a wrong index', (data: object[]) => [data[0], { ...data[1], index: 9 }]],
  ])('rejects vectors if there are %s', async (_, spoil) => {
    provider.scaleVectors = spoil as FakeOpenai['scaleVectors'];
    await expect(embedder().embed(['x', 'y'])).rejects.toThrow(UpstreamFailed);
  });

  it('stops when its signal is aborted', async () => {
    provider.embeddingFailure = 'stall';
    await expect(embedder().embed(['x'], { signal: AbortSignal.timeout(30) })).rejects.toThrow(/timeout/);
  });
});

describe('openEmbedder', () => {
  it.each([
    ['nothing', {}, undefined],
    ['OpenAI', { PROVIDER_A_API_KEY: 'k' }, 'text-embedding-3-small'],
    ['Anthropic alone', { PROVIDER_B_API_KEY: 'k' }, undefined],
    ['Gemini', { PROVIDER_C_API_KEY: 'k' }, 'gemini-embedding-001'],
    ['a separate URL', { EMBEDDING_BASE_URL: 'http://127.0.0.1:1', EMBEDDING_MODEL: 'bge' }, 'bge'],
    [
      'Anthropic and a separate key',
      { PROVIDER_B_API_KEY: 'k', EMBEDDING_API_KEY: 'e' },
      'text-embedding-3-small',
    ],
  ])('selects the model with %s configured', (_, environment, model) => {
    expect(openEmbedder(readConfig(environment))?.model).toBe(model);
  });
});

function dot(a: Float32Array | undefined, b: Float32Array): number {
  return b.reduce((sum, value, at) => sum + value * (a?.[at] ?? 0), 0);
}
