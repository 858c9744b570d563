import { describe, expect, it } from '@jest/globals';
import { findLocalServers } from '../../../lib/adapters/openai/local-servers.ts';
import { startFakeLmStudio, startFakeOllama } from '../../support/fakes/fake-model-servers.ts';

/** Nothing listens on the port of a discard service. */
const NOTHING = 9;

describe('findLocalServers', () => {
  it('lists the models of Ollama and LM Studio with their purpose', async () => {
    const [ollama, lmStudio] = await Promise.all([startFakeOllama(), startFakeLmStudio()]);
    const servers = await findLocalServers({ ollama: ollama.port, lmStudio: lmStudio.port });
    expect(servers.map(({ kind, baseUrl }) => [kind, baseUrl])).toEqual([
      ['ollama', `http://127.0.0.1:${ollama.port}/v1`],
      ['lm-studio', `http://127.0.0.1:${lmStudio.port}/v1`],
    ]);
    expect(servers.map(({ models }) => models.map(({ id, kind }) => [id, kind]))).toEqual([
      [
        ['all-words:latest', 'embedding'], // by its family: the name says nothing
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

  it('goes by the names where LM Studio tells no type', async () => {
    const { port } = await startFakeLmStudio({ isOld: true });
    const [server] = await findLocalServers({ ollama: NOTHING, lmStudio: port });
    expect(server?.models.map(({ kind }) => kind)).toEqual(['chat', 'chat', 'embedding']);
  });

  it('finds nothing where nothing listens, or something else does', async () => {
    expect(await findLocalServers({ ollama: NOTHING, lmStudio: NOTHING })).toEqual([]);
    const { port } = await startFakeLmStudio();
    expect(await findLocalServers({ ollama: port, lmStudio: NOTHING })).toEqual([]);
  });
});
