import { describe, expect, it } from '@jest/globals';
import { findLocalServers } from '../../../lib/adapters/openai/local-servers.ts';
import {
  startFakeListing,
  startFakeLmStudio,
  startFakeOllama,
} from '../../support/fakes/fake-model-servers.ts';

/** Nothing listens on the port of a discard service. */
const NOTHING = 9;

describe('findLocalServers', () => {
  it('lists the models of Ollama and LM Studio with their purpose', async () => {
    const [ollama, lmStudio] = await Promise.all([startFakeOllama(), startFakeLmStudio()]);
    const servers = await findLocalServers([ollama.port, lmStudio.port]);
    expect(servers.map(({ kind, baseUrl }) => [kind, baseUrl])).toEqual([
      ['ollama', `http://127.0.0.1:${ollama.port}/v1`],
      ['lm-studio', `http://127.0.0.1:${lmStudio.port}/v1`],
    ]);
    expect(servers.map(({ models }) => models.map(({ id, kind }) => [id, kind]))).toEqual([
      [
        ['all-words:latest', 'embedding'], // recognized by its family, because the name doesn't tell
        ['llama3.2:3b', 'chat'],
        ['nomic-embed-text:latest', 'embedding'],
      ],
      [
        ['pixtral-12b', 'chat'],
        ['qwen3-8b', 'chat'],
        ['text-embedding-nomic-embed-text-v1.5', 'embedding'],
      ],
    ]);
  });

  it('falls back to the names if LM Studio reports no type', async () => {
    const { port } = await startFakeLmStudio({ isOld: true });
    const [server] = await findLocalServers([port]);
    expect(server?.kind).toBe('lm-studio');
    expect(server?.models.map(({ kind }) => kind)).toEqual(['chat', 'chat', 'embedding']);
  });

  it.each([
    ['llamacpp', 'llama-cpp'],
    ['vllm', 'vllm'],
    ['sglang', 'other'],
  ])('identifies a server by the owner of its models: %s', async (owner, kind) => {
    const { port } = await startFakeListing(owner, ['Qwen3-8B', 'bge-m3']);
    const [server] = await findLocalServers([NOTHING, port]);
    expect(server).toMatchObject({ kind, baseUrl: `http://127.0.0.1:${port}/v1` });
    expect(server?.models.map((model) => model.kind)).toEqual(['chat', 'embedding']);
  });

  it('finds nothing if no server listens, or the server has no models', async () => {
    const { port } = await startFakeListing('anyone', []);
    expect(await findLocalServers([NOTHING, port])).toEqual([]);
  });
});
