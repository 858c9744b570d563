import { describe, expect, it } from '@jest/globals';
import { TooManyRequests } from '../../../lib/errors.ts';
import { countWebSearch, MAX_SEARCHES } from '../../../lib/web-search/limit.ts';
import { startTokenRig } from '../../support/tokens.ts';

describe('countWebSearch', () => {
  it('allows a number of searches per person and minute, in all processes together', async () => {
    const { ports, time } = await startTokenRig();
    time.now += 20_000;
    await Promise.all(Array.from({ length: MAX_SEARCHES }, () => countWebSearch(ports, 'ann')));
    const refused = await countWebSearch({ ...ports }, 'ann').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TooManyRequests);
    expect((refused as TooManyRequests).headers).toEqual({ 'retry-after': '40' });
    await countWebSearch(ports, 'ben');
    time.now += 40_000;
    await countWebSearch(ports, 'ann');
  });
});
