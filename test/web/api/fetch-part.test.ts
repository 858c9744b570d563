import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { stopTimers, turns } from '../../support/fakes/fake-timers.ts';

const kept = new Map<string, string>();
const reload = jest.fn();
let isUp = true;
const silent = { addEventListener: () => {}, removeEventListener: () => {} };
Object.assign(globalThis, {
  ...silent,
  document: silent,
  location: { reload },
  sessionStorage: {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  },
});
/** Computed names, because they lead to files of the page, which has other globals. */
const PART: string = '../../../web/api/fetch-part.ts';
const { fetchPart }: { fetchPart<Part>(load: () => Promise<Part>): Promise<Part> } = await import(PART);

const missing = new Error('Failed to fetch dynamically imported module: /assets/a.js');
const fails = () => Promise.reject(missing);

beforeEach(() => {
  stopTimers();
  kept.clear();
  reload.mockClear();
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    if (!isUp) throw new TypeError('Failed to fetch');
    return new Response();
  });
});
afterEach(() => {
  isUp = true;
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('part of the page', () => {
  it('is awaited without a reload while the service is unreachable', async () => {
    isUp = false;
    const load = jest.fn(fails as () => Promise<string>);
    const part = fetchPart(load);
    await turns(10);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(reload).not.toHaveBeenCalled();
    isUp = true;
    load.mockResolvedValue('the part');
    await jest.advanceTimersByTimeAsync(6_000);
    expect(await part).toBe('the part');
    expect(reload).not.toHaveBeenCalled();
  });

  it('is requested by a reload once the service is back, if the browser caches the failure', async () => {
    isUp = false;
    void fetchPart(fails);
    await turns(10);
    isUp = true;
    await jest.advanceTimersByTimeAsync(6_000);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('reloads the page once per file if it is of an older build', async () => {
    void fetchPart(fails);
    await turns(10);
    expect(reload).toHaveBeenCalledTimes(1);
    await expect(fetchPart(fails)).rejects.toBe(missing);
    expect(reload).toHaveBeenCalledTimes(1);
  });
});
