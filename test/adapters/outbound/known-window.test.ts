import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  forgetWindow,
  type WindowOptions,
  withKnownWindow,
} from '../../../lib/adapters/outbound/known-window.ts';
import { WindowExceeded } from '../../../lib/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../../lib/ports/language-model.ts';
import { mostTokens } from '../../../lib/text/count-tokens.ts';

type Answer = (request: ModelRequest) => ModelEvent[];

const finished = (inputTokens: number | null): ModelEvent => ({
  type: 'finish',
  reason: 'stop',
  usage: { inputTokens, outputTokens: 1 },
});

let key = 0;
beforeEach(() => {
  key += 1;
});

afterEach(() => void jest.restoreAllMocks());

/** Each test uses another model, because the process remembers what it learned about a model. */
function openModel(answer: Answer, options: Omit<WindowOptions, 'key'> = {}): LanguageModel {
  const bare: LanguageModel = {
    provider: 'a',
    model: 'm',
    async *stream(request) {
      yield* answer(request);
    },
  };
  return withKnownWindow(bare, { key: `test ${key}`, ...options });
}

const request = (content: string, more = {}): ModelRequest => ({
  system: '',
  messages: [{ role: 'user', content }],
  ...more,
});

async function eventsOf(model: LanguageModel, asked: ModelRequest): Promise<ModelEvent[]> {
  return Array.fromAsync(model.stream(asked));
}

const refuse = (window?: number) => (): ModelEvent[] => {
  throw new WindowExceeded('too long', window);
};
const tells = (contextTokens: number) => async () => ({ contextTokens });

describe('withKnownWindow', () => {
  it("prefers the window in the settings, then the server's window, then the window in the list", async () => {
    const all = { contextTokens: 8192, ask: tells(16_384), listed: 200_000 };
    expect(await openModel(() => [], all).readWindow?.()).toEqual({ contextTokens: 8192, from: 'settings' });
    const told = { ...all, contextTokens: undefined };
    expect(await openModel(() => [], told).readWindow?.()).toEqual({ contextTokens: 16_384, from: 'server' });
    key += 1;
    const listed = { listed: 200_000 };
    expect(await openModel(() => [], listed).readWindow?.()).toEqual({
      contextTokens: 200_000,
      from: 'list',
    });
    key += 1;
    expect(await openModel(() => []).readWindow?.()).toBeUndefined();
  });

  it('asks the server once for concurrent callers', async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return { contextTokens: 4096 };
    };
    const found = await Promise.all(
      Array.from({ length: 20 }, () => openModel(() => [], { ask }).readWindow?.()),
    );
    expect(new Set(found.map((window) => window?.contextTokens))).toEqual(new Set([4096]));
    await openModel(() => [], { ask }).readWindow?.();
    expect(asked).toBe(1);
  });

  it('remembers for a while that a server reported no window', async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return undefined;
    };
    for (let time = 0; time < 5; time++) await openModel(() => [], { ask }).readWindow?.();
    expect(asked).toBe(1);
  });

  it('learns the window from a rejection that names it, and overrides the settings and the server', async () => {
    const options = { contextTokens: 32_768, ask: tells(32_768) };
    const model = openModel(refuse(4096), options);
    await expect(eventsOf(model, request('long'))).rejects.toThrow(WindowExceeded);
    expect(await model.readWindow?.()).toEqual({ contextTokens: 4096, from: 'refusal' });
  });

  it('learns from a rejection without a number that the window is smaller than the prompt', async () => {
    const sent = 'Owls hunt at night. '.repeat(1000);
    const model = openModel(refuse());
    await expect(eventsOf(model, request(sent))).rejects.toThrow(WindowExceeded);
    const { contextTokens = 0 } = (await model.readWindow?.()) ?? {};
    expect(contextTokens).toBeLessThan(mostTokens(sent));
    expect(contextTokens).toBeGreaterThan(mostTokens(sent) / 2);
  });

  it("asks the server again about a model that wasn't loaded, after the model has answered", async () => {
    const answers = [{ contextTokens: 4096, isGuess: true as const }, { contextTokens: 16_384 }];
    const ask = async () => answers.shift();
    const model = openModel(() => [finished(10)], { ask });
    expect((await model.readWindow?.())?.contextTokens).toBe(4096);
    await eventsOf(model, request('hello'));
    await new Promise((resolve) => setImmediate(resolve));
    expect((await model.readWindow?.())?.contextTokens).toBe(16_384);
  });

  it.each([
    ['read exactly one window of the prompt', 2048, true],
    ['read a common window size of the prompt', 4096, true],
    ['read a round number of tokens, which may be the whole prompt', 5120, false],
    ['read far less than the prompt', 1500, true],
    ['read the whole prompt', 5100, false],
    ['reports nothing', null, false],
    ['reports only uncached tokens', 12, false],
  ])('marks an answer whose server %s', async (_case, inputTokens, isCut) => {
    const sent = 'The barn owl hunts at night by its hearing alone. '.repeat(480); // about 5,300 tokens
    const model = openModel(() => [finished(inputTokens)], { ask: async () => undefined });
    const [finish] = await eventsOf(model, request(sent));
    expect(finish).toEqual({ ...finished(inputTokens), ...(isCut && { promptCut: true }) });
  });

  it('fits the next prompt to the window, which a truncated prompt shows', async () => {
    const model = openModel(() => [finished(2048)], { ask: async () => undefined });
    await eventsOf(model, request('The barn owl hunts at night. '.repeat(1000)));
    expect(await model.readWindow?.()).toEqual({ contextTokens: 2048, from: 'cut' });
  });

  it.each([
    ['the server reported', tells(3072), 1],
    ['another prompt had', async () => undefined, 2],
  ])(
    'learns the window from a slightly truncated prompt, by the tokens that %s',
    async (_case, ask, prompts) => {
      const model = openModel(() => [finished(3072)], { ask });
      await model.readWindow?.();
      for (let sent = 1; sent <= prompts; sent++) {
        const [finish] = await eventsOf(model, request('The barn owl hunts. '.repeat(650 + 50 * sent)));
        expect(finish).toEqual({ ...finished(3072), ...(sent === prompts && { promptCut: true }) });
      }
    },
  );

  it.each([
    ['the server reports another', { told: 16_384 }],
    ['the settings have another', { contextTokens: 16_384 }],
    ['a check starts', { isForgotten: true }],
  ])('forgets a window learned from a truncated prompt once %s', async (_case, change) => {
    let window = 8192;
    const options = { ask: async () => ({ contextTokens: window }) };
    const model = openModel(() => [finished(2048)], options);
    await eventsOf(model, request('The barn owl hunts at night. '.repeat(1000)));
    expect(await model.readWindow?.()).toEqual({ contextTokens: 2048, from: 'cut' });
    const changed = { told: window, isForgotten: false, contextTokens: undefined, ...change };
    window = changed.told;
    if (changed.isForgotten) forgetWindow(`test ${key}`);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 31_000);
    const later = openModel(() => [], { ...options, contextTokens: changed.contextTokens });
    expect((await later.readWindow?.())?.contextTokens).toBe(changed.contextTokens ?? window);
  });

  it("doesn't mark answers of a provider that isn't asked for its window", async () => {
    const model = openModel(() => [finished(1024)]);
    expect(await eventsOf(model, request('The barn owl hunts. '.repeat(1000)))).toEqual([finished(1024)]);
  });

  it('limits the requested answer to the space left in the window', async () => {
    const limits: (number | undefined)[] = [];
    const answer: Answer = ({ maxOutputTokens }) => {
      limits.push(maxOutputTokens);
      return [finished(null)];
    };
    const model = openModel(answer, { contextTokens: 4096 });
    await eventsOf(model, request('short', { maxOutputTokens: 1000 }));
    await eventsOf(model, request('Owls hunt at night. '.repeat(400), { maxOutputTokens: 4000 }));
    await eventsOf(model, request('short'));
    key += 1;
    await eventsOf(openModel(answer), request('short', { maxOutputTokens: 4000 }));
    expect(limits).toEqual([1000, expect.any(Number), undefined, 4000]);
    expect(limits[1]).toBeLessThan(2500);
    key += 1;
    await eventsOf(openModel(answer, { ask: tells(4096) }), request('short'));
    key += 1;
    await eventsOf(openModel(answer, { ask: tells(131_072) }), request('short'));
    expect(limits.slice(4)).toEqual([expect.any(Number), undefined]);
    expect(limits[4]).toBeGreaterThan(4000);
  });
});
