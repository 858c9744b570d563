import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { askWindow } from '../../../lib/adapters/openai/ask-window.ts';
import { whenDone } from '../../support/temp-folder.ts';

type Answers = Record<string, unknown>;

/** A model server with these paths. */
async function startServer(answers: Answers) {
  const asked: { path: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, key: request.headers.authorization });
    const answer = answers[path];
    if (answer === 'silence') return;
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function ask(answers: Answers, model = 'small') {
  const { origin } = await startServer(answers);
  return askWindow({ baseUrl: `${origin}/v1` }, model);
}

describe('askWindow', () => {
  it.each<[server: string, answers: Answers, window: number]>([
    ['llama.cpp by its properties', { '/props': { default_generation_settings: { n_ctx: 8192 } } }, 8192],
    [
      'llama.cpp by its list',
      { '/v1/models': { data: [{ id: '/models/a.gguf', meta: { n_ctx: 16384, n_ctx_train: 131072 } }] } },
      16_384,
    ],
    [
      'vLLM',
      {
        '/v1/models': {
          data: [
            { id: 'other', max_model_len: 1024 },
            { id: 'small', max_model_len: 32768 },
          ],
        },
      },
      32_768,
    ],
    ['a gateway', { '/v1/models': { data: [{ id: 'small', context_length: 65536 }] } }, 65_536],
    [
      'LM Studio',
      {
        '/api/v0/models': {
          data: [{ id: 'small', state: 'loaded', loaded_context_length: 4096, max_context_length: 131072 }],
        },
        '/v1/models': { data: [{ id: 'small' }] },
      },
      4096,
    ],
    [
      'Ollama while the model is loaded',
      { '/api/ps': { models: [{ name: 'small:latest', context_length: 16384 }] } },
      16_384,
    ],
    [
      'Ollama with the number in the model',
      {
        '/api/ps': { models: [] },
        '/api/show': { parameters: 'stop "<|end|>"\nnum_ctx                        8192\n' },
      },
      8192,
    ],
    ['KoboldCpp', { '/api/extra/true_max_context_length': { value: 6144 } }, 6144],
    ['TGI', { '/info': { max_total_tokens: 4096, max_input_length: 3072 } }, 4096],
  ])('returns the window of %s', async (_server, answers, contextTokens) => {
    expect(await ask(answers)).toEqual({ contextTokens });
  });

  it('returns the default for a model that is not loaded, but no more than its training length', async () => {
    const notLoaded = { '/api/ps': { models: [] } };
    const shown = (length: number) => ({ model_info: { 'llama.context_length': length } });
    expect(await ask({ ...notLoaded, '/api/show': shown(131072) })).toEqual({
      contextTokens: 4096,
      isGuess: true,
    });
    expect(await ask({ ...notLoaded, '/api/show': shown(2048) })).toEqual({
      contextTokens: 2048,
      isGuess: true,
    });
    expect(await ask({ '/api/v0/models': { data: [{ id: 'small', max_context_length: 32768 }] } })).toEqual({
      contextTokens: 4096,
      isGuess: true,
    });
  });

  it('returns undefined for servers that report no window or an invalid one', async () => {
    expect(await ask({})).toBeUndefined();
    expect(await ask({ '/props': '<html>' })).toBeUndefined();
    expect(await ask({ '/v1/models': { data: 'many' }, '/api/ps': { models: 7 } })).toBeUndefined();
    for (const size of [0, -1, 1e12, 4096.5, '4096', null])
      expect(await ask({ '/props': { default_generation_settings: { n_ctx: size } } })).toBeUndefined();
    expect(
      await ask({ '/v1/models': { data: [{ id: 'small', meta: { n_ctx_train: 131072 } }] } }),
    ).toBeUndefined();
  });

  it('gives up on a path that never responds', async () => {
    const silent = { '/props': 'silence', '/v1/models': { data: [{ id: 'small', max_model_len: 2048 }] } };
    expect(await ask(silent)).toEqual({ contextTokens: 2048 });
  }, 20_000);

  it('stays below the path of the base URL and sends the key', async () => {
    const { origin, asked } = await startServer({});
    await askWindow({ baseUrl: `${origin}/tenant/v1`, apiKey: 'k' }, 'small');
    expect(asked.every(({ path, key }) => path.startsWith('/tenant/') && key === 'Bearer k')).toBe(true);
  });

  it('does not connect to addresses that the service must not reach', async () => {
    const { origin, asked } = await startServer({
      '/props': { default_generation_settings: { n_ctx: 8192 } },
    });
    const proxy = { http: undefined, https: undefined, no: undefined };
    // Another host, without a model server on its loopback interface.
    const guard = { policy: 'cloud', proxy } as const;
    expect(await askWindow({ baseUrl: `${origin}/v1`, guard }, 'small')).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
