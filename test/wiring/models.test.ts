import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { GEMINI_BASE_URL } from '../../lib/adapters/openai/gemini.ts';
import { serverKey } from '../../lib/adapters/openai/language-model.ts';
import { refusedOptions, rememberRefused } from '../../lib/adapters/openai/refused-options.ts';
import { readConfig } from '../../lib/config.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { PROVIDER_NAMES } from '../../lib/text/vendor-names.ts';
import { openCheckedModel } from '../../lib/wiring/language-model.ts';
import { listModels } from '../../lib/wiring/models.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';

const silent = createServer(() => {});
await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
whenDone(async () => {
  silent.closeAllConnections();
  silent.close();
});
const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

describe('listModels', () => {
  afterEach(() => void jest.restoreAllMocks());

  it.each(['a', 'b', 'c'] as const)('gives up on provider %s after 15 seconds', async (provider) => {
    const time = new AbortController();
    const limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
    const name = `PROVIDER_${provider.toUpperCase()}`;
    const config = readConfig({ [`${name}_API_KEY`]: 'key', [`${name}_BASE_URL`]: baseUrl });
    const asked = once(silent, 'request');
    const answer = expect(listModels(config, provider)).rejects.toMatchObject({
      status: 502,
      message: `${PROVIDER_NAMES[provider]} did not answer within 15 s. Try again later.`,
      code: 'model_timeout',
    });
    await asked;
    expect(limit.mock.calls).toEqual([[15_000]]);
    time.abort();
    await answer;
  });
});

describe('openCheckedModel', () => {
  it('forgets what a hosted server refused before, and checks again', async () => {
    const config = readConfig({ DATA_DIR: await tempFolder(), PROVIDER_C_API_KEY: 'key' });
    const key = serverKey({ baseUrl: GEMINI_BASE_URL, model: 'gemini-2.5-flash' });
    rememberRefused(key, new Set(['schema']));
    const ports = { records: await openRecords(config), clock: systemClock };
    const use = { callerId: 'c', workspaceId: null, kind: 'chat' as const };
    const { refused } = openCheckedModel(config, ports, use, { provider: 'c', model: 'gemini-2.5-flash' });
    expect(refusedOptions(key)).toEqual(new Set());
    rememberRefused(key, new Set(['tools']));
    expect(refused()).toEqual(new Set(['tools']));
  });
});
