import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../lib/config.ts';
import { overlay } from '../../lib/settings/with-settings.ts';
import { openEmbedder } from '../../lib/wiring/embedder.ts';

const SERVER = 'http://127.0.0.1:11434/v1';
const LOCAL = { LOCAL_EMBEDDER_URL: 'http://127.0.0.1:9', LOCAL_EMBEDDER_MODEL: 'on-host' };

describe('openEmbedder', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['none with nothing configured', {}, undefined],
    ["OpenAI's with its key", { PROVIDER_A_API_KEY: 'k' }, 'text-embedding-3-small'],
    [
      "OpenAI's with its own URL",
      { PROVIDER_A_BASE_URL: 'https://api.openai.com/v1', PROVIDER_A_API_KEY: 'k' },
      'text-embedding-3-small',
    ],
    [
      'none for a server that was set up for chat',
      { PROVIDER_A_BASE_URL: SERVER, LLM_MODEL: 'm' },
      undefined,
    ],
    [
      'none for a gateway with a key either',
      { PROVIDER_A_BASE_URL: SERVER, PROVIDER_A_API_KEY: 'k' },
      undefined,
    ],
    ['the named model of that server', { PROVIDER_A_BASE_URL: SERVER, EMBEDDING_MODEL: 'bge-m3' }, 'bge-m3'],
    ['the model on the host with that server', { PROVIDER_A_BASE_URL: SERVER, ...LOCAL }, 'on-host'],
    [
      'the named model of a separate service, not of the chat server',
      { PROVIDER_A_BASE_URL: SERVER, EMBEDDING_BASE_URL: 'http://embed.test', EMBEDDING_MODEL: 'e' },
      'e',
    ],
    [
      'none if the variable is none',
      { PROVIDER_A_API_KEY: 'k', ...LOCAL, EMBEDDING_MODEL: 'None' },
      undefined,
    ],
  ])('opens %s', (_, environment, model) => {
    expect(openEmbedder(readConfig(environment))?.model).toBe(model);
  });

  it('opens no embedder if the settings disable it, and opens one if they override the variable', () => {
    const on = readConfig({ PROVIDER_A_API_KEY: 'k' });
    expect(openEmbedder(overlay(on, { semanticSearch: 'off' }))).toBeUndefined();
    const off = readConfig({ PROVIDER_A_API_KEY: 'k', EMBEDDING_MODEL: 'none' });
    expect(openEmbedder(overlay(off, { semanticSearch: 'on' }))?.model).toBe('text-embedding-3-small');
  });
});
