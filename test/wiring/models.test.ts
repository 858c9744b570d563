import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readConfig } from '../../lib/config.ts';
import { PROVIDER_NAMES } from '../../lib/text/vendor-names.ts';
import { listModels } from '../../lib/wiring/models.ts';
import { whenDone } from '../support/temp-folder.ts';

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
