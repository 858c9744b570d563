import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openaiLanguageModel } from '../../../lib/adapters/openai/language-model.ts';
import { readConfig } from '../../../lib/config.ts';
import { NotConfigured, UpstreamFailed } from '../../../lib/errors.ts';
import type { ModelEvent, ModelRequest, ToolCall } from '../../../lib/ports/language-model.ts';
import { openLanguageModel } from '../../../lib/wiring/language-model.ts';
import { type FakeOpenai, type ProviderFailure, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { passAtEach, stopTimers, turns } from '../../support/fakes/fake-timers.ts';
import { whenDone } from '../../support/temp-folder.ts';

let provider: FakeOpenai;

beforeEach(async () => {
  provider = await startFakeOpenai({ answer: () => ['Hello', ' there'] });
  whenDone(provider.stop);
});

const HELLO: ModelRequest = { system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] };

afterEach(() => void jest.useRealTimers());

async function run(request: Partial<ModelRequest> = {}, pauseMs?: number): Promise<ModelEvent[]> {
  const model = openaiLanguageModel({
    provider: 'a',
    apiKey: 'k1',
    baseUrl: provider.url,
    model: 'm',
    pauseMs,
  });
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ ...HELLO, ...request })) events.push(event);
  return events;
}

function callsOf(events: ModelEvent[]): ToolCall[] {
  return events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
}

function chunk(delta: Record<string, unknown>, finishReason: string | null = null) {
  return { choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

function call(name: string, input: unknown) {
  return { function: { name, arguments: input } };
}

describe('openaiLanguageModel', () => {
  it('streams text and finishes with the usage', async () => {
    expect(await run()).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' there' },
      { type: 'finish', reason: 'stop', usage: { inputTokens: 100, outputTokens: 2 } },
    ]);
    expect(provider.lastHeaders.authorization).toBe('Bearer k1');
    expect(provider.lastChat).toMatchObject({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
    });
  });

  it('omits the usage if the server refuses to report it, and asks for it only once', async () => {
    provider.refuses = ({ stream_options }) =>
      stream_options && [400, 'Unrecognized request argument supplied: stream_options'];
    const [first, second] = [await run(), await run()];
    expect(first.at(-1)).toMatchObject({ type: 'finish', usage: { inputTokens: null, outputTokens: null } });
    expect(second).toEqual(first);
    expect(provider.chatRequests).toBe(3);
  });

  it('accepts a base URL without /v1', async () => {
    const baseUrl = provider.url.replace(/\/v1$/, '');
    const model = openaiLanguageModel({ provider: 'a', baseUrl, model: 'm' });
    const events: ModelEvent[] = [];
    for await (const event of model.stream(HELLO)) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
  });

  it.each([
    [
      'by index, in chunks',
      [
        [{ index: 0, id: 'c1', function: { name: 'grep', arguments: '' } }],
        [{ index: 0, function: { arguments: '{"q":' } }],
        [{ index: 1, id: 'c2', function: { name: 'ls', arguments: '{}' } }],
        [{ index: 0, function: { arguments: '1}' } }],
      ],
    ],
    [
      'without an index',
      [
        [{ id: 'c1', function: { name: 'grep', arguments: '{"q":' } }],
        [{ function: { arguments: '1}' } }],
        [{ id: 'c2', function: { name: 'ls', arguments: '{}' } }],
      ],
    ],
    [
      'all with one index',
      [
        [
          { index: 0, id: 'c1', function: { name: 'grep', arguments: '{"q":1}' } },
          { index: 0, id: 'c2', function: { name: 'ls', arguments: '' } },
        ],
      ],
    ],
    [
      'with one index and without IDs',
      [
        [{ index: 0, id: '', function: { name: 'grep', arguments: '{"q":1}' } }],
        [{ index: 0, id: '', function: { name: 'ls', arguments: '{}' } }],
      ],
    ],
    [
      'with names in each chunk, and null IDs',
      [
        [{ index: 0, id: null, function: { name: 'grep', arguments: '' } }],
        [{ index: 0, id: null, function: { name: 'grep', arguments: '{"q":' } }],
        [{ index: 0, function: { name: null, arguments: '1}' } }],
        [{ index: 1, function: { name: 'ls', arguments: null } }],
      ],
    ],
    [
      'with the name after the ID, and one ID for both',
      [
        [{ index: 0, id: 'c1', function: { name: null, arguments: '' } }],
        [{ index: 0, id: 'c1', function: { name: 'grep', arguments: { q: 1 } } }],
        [{ index: 0, id: 'c1', function: { name: 'ls', arguments: {} } }],
      ],
    ],
    ['as one JSON string', [[call('grep', '"{\\"q\\":1}"'), call('ls', 'null')]]],
  ])('assembles tool calls that arrive %s', async (_, pieces) => {
    provider.rawChunks = [...pieces.map((tool_calls) => chunk({ tool_calls })), chunk({}, 'stop'), '[DONE]'];
    const events = await run();
    expect(callsOf(events).map(({ name, input }) => [name, input])).toEqual([
      ['grep', '{"q":1}'],
      ['ls', '{}'],
    ]);
    const ids = new Set(callsOf(events).map(({ id }) => id));
    expect(ids.size).toBe(2);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });

  it.each([
    ['two objects in one text', [call('grep', '{"q":1}{"q":2}')]],
    ['two calls with one name', [call('grep', '{"q":1}'), call('grep', '{"q":2}')]],
    [
      'two objects in two chunks',
      [call('grep', '{"q":1} '), { index: 0, function: { arguments: '{"q":2}' } }],
    ],
    ['objects', [call('grep', { q: 1 }), call('grep', { q: 2 })]],
  ])('reads two calls from %s', async (_, tool_calls) => {
    const pieces = tool_calls.map((each) => ({ index: 0, id: '', ...each }));
    provider.rawChunks = [
      ...pieces.map((each) => chunk({ tool_calls: [each] })),
      chunk({}, 'stop'),
      '[DONE]',
    ];
    const calls = callsOf(await run());
    expect(calls.map(({ name, input }) => `${name} ${input}`)).toEqual(['grep {"q":1}', 'grep {"q":2}']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it('keeps arguments with other brackets, or broken arguments, in one call', async () => {
    for (const text of ['{"q":"}{"}', '{"q":{"r":[1]}}', '{"q":1} and', '{"q":']) {
      provider.rawChunks = [chunk({ tool_calls: [call('grep', text)] }, 'stop'), '[DONE]'];
      expect(callsOf(await run()).map(({ input }) => input)).toEqual([text]);
    }
  });

  it('gives a call an ID that differs from earlier answers, and the name of the offered tool', async () => {
    const tools = ['grep', 'ls'].map((name) => ({ name, description: name, inputSchema: {} }));
    const made = { id: '0', name: 'grep', input: '{}' };
    const messages: ModelRequest['messages'] = [
      { role: 'assistant', content: '', toolCalls: [made] },
      { role: 'tool', toolCallId: '0', content: 'x' },
    ];
    const piece = { index: 0, id: '0', ...call('functions.grep<|channel|>json', '{}') };
    provider.rawChunks = [chunk({ tool_calls: [piece] }, 'tool_calls'), '[DONE]'];
    const [found] = callsOf(await run({ tools, messages }));
    expect(found).toMatchObject({ name: 'grep', id: expect.stringMatching(/^call_/) });
  });

  it.each([
    ['ReadFile', 'readFile'],
    ['read_file', 'readFile'],
    ['readfil', 'readfil'],
    ['LS', 'ls'],
    ['git-log', 'git-log'],
    ['GIT log', 'GIT log'],
  ])('reads %s as %s', async (written, name) => {
    const tools = ['readFile', 'ls', 'git_log', 'gitLog'].map((each) => ({
      ...{ name: each, description: each, inputSchema: {} },
    }));
    provider.rawChunks = [chunk({ tool_calls: call(written, '{}') }, 'tool_calls'), '[DONE]'];
    expect(callsOf(await run({ tools })).map((each) => each.name)).toEqual([name]);
  });

  it('joins the parts of a name', async () => {
    const tools = ['read', 'readFile', 'listFiles'].map((name) => ({
      name,
      description: name,
      inputSchema: {},
    }));
    const names = ['list', 'Fi', 'les', 'read', 'read'];
    const pieces = names.map((name) => chunk({ tool_calls: [{ index: 0, ...call(name, '') }] }));
    const rest = chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":"a"}' } }] }, 'tool_calls');
    provider.rawChunks = [...pieces, rest, '[DONE]'];
    const events = await run({ tools });
    expect(callsOf(events).map(({ name, input }) => `${name} ${input}`)).toEqual([
      'listFiles {}',
      'read {"path":"a"}',
    ]);
    const started = events.flatMap((event) => (event.type === 'tool-call-start' ? event.name : []));
    expect(started).toEqual(['listFiles', 'read']);
  });

  it('reads the older format with a single call', async () => {
    provider.rawChunks = [
      chunk({ function_call: { name: 'ls', arguments: '{}' } }, 'function_call'),
      '[DONE]',
    ];
    expect(callsOf(await run())).toMatchObject([{ name: 'ls', input: '{}' }]);
  });

  it('sends signatures back with their call', async () => {
    const extra_content = { google: { thought_signature: 'sig' } };
    const tool_calls = [{ function: { name: 'grep', arguments: '{}' }, extra_content }];
    provider.rawChunks = [chunk({ tool_calls }, 'stop'), '[DONE]'];
    const toolCalls = callsOf(await run());
    const id = toolCalls[0]?.id ?? '';
    expect(callsOf(await run())[0]?.id).not.toBe(id); // the service generates one if the provider doesn't
    provider.rawChunks = undefined;
    await run({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', toolCallId: id, content: 'found' },
      ],
    });
    expect(provider.lastChat?.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'grep', arguments: '{}' }, extra_content }],
      },
      { role: 'tool', tool_call_id: id, content: 'found' },
    ]);
  });

  it('separates reasoning from text and returns the finish reason', async () => {
    provider.rawChunks = [
      chunk({ reasoning_content: 'Hm.' }),
      chunk({ content: 'So.' }),
      chunk({}, 'length'),
      '[DONE]',
    ];
    expect((await run()).map(({ type }) => type)).toEqual(['reasoning', 'text', 'finish']);
    expect((await run()).at(-1)).toMatchObject({ reason: 'length' });
  });

  it.each([
    [
      'an error in a list',
      [[{ error: { code: 400, message: 'sk-very-secret' } }]],
      /refused the request \(400\)/,
    ],
    ['no end', [chunk({ content: 'So' })], /stopped in the middle/],
    ["a chunk that isn't JSON", ['{"choices":'], /failed/],
    ['nothing', [], /stopped (with an error|in the middle)/],
  ])('throws if the stream contains %s', async (_, chunks, text) => {
    provider.rawChunks = chunks;
    await expect(run()).rejects.toThrow(text);
    await expect(run()).rejects.toThrow(UpstreamFailed);
  });

  it.each<[ProviderFailure, RegExp, number]>([
    ['unauthorized', /^The OpenAI-compatible endpoint refused the key\./, 1],
    ['rate-limited', /rate limit/, 3],
    ['server-error', /failed \(500\)/, 3],
    ['cut', /the connection was cut/, 1],
    ['silent-end', /stopped in the middle/, 1],
    ['error-frame', /is overloaded/, 1],
  ])('throws a readable message: %s', async (failure, text, requests) => {
    provider.failure = failure;
    const error = await run().catch((thrown: unknown) => thrown as UpstreamFailed);
    expect(error).toBeInstanceOf(UpstreamFailed);
    expect((error as Error).message).toMatch(text);
    expect(String((error as Error).cause)).not.toContain('very-secret');
    expect(provider.chatRequests).toBe(requests);
  });

  it('reports that the server is not running', async () => {
    await provider.stop();
    await expect(run()).rejects.toThrow(/^No model server answers at 127\.0\.0\.1:\d+\. Start it/);
  });

  it('stops when its signal is aborted', async () => {
    provider.failure = 'stall';
    await expect(run({ signal: AbortSignal.timeout(30) })).rejects.toThrow(/timeout/);
  });

  it('keeps waiting while comments show that the provider is alive, up to a limit', async () => {
    stopTimers();
    provider.comments = 10;
    const patient = run({}, 60 * 60_000);
    await passAtEach(() => provider.commentsSent, 10_000, patient);
    expect((await patient).map(({ type }) => type)).toEqual(['text', 'text', 'finish']);
    provider.comments = Number.POSITIVE_INFINITY;
    const given = expect(run()).rejects.toThrow(/stopped in the middle/);
    await passAtEach(() => provider.commentsSent, 10_000, given);
    await given;
  });

  it('waits at most a minute for the next chunk', async () => {
    stopTimers();
    provider.failure = 'stall';
    const events = openaiLanguageModel({ provider: 'a', baseUrl: provider.url, model: 'm' }).stream(HELLO);
    const reader = events[Symbol.asyncIterator]();
    expect((await reader.next()).value).toMatchObject({ type: 'text', text: 'Hello' });
    const given = expect(reader.next()).rejects.toThrow(/stopped in the middle/);
    await turns();
    jest.advanceTimersByTime(60_000);
    await given;
    expect(provider.chatRequests).toBe(1);
  });

  it('does not count the time of its reader as a stall', async () => {
    stopTimers();
    const model = openaiLanguageModel({ provider: 'a', baseUrl: provider.url, model: 'm' });
    const types: string[] = [];
    for await (const { type } of model.stream(HELLO)) {
      types.push(type);
      jest.advanceTimersByTime(60 * 60_000);
    }
    expect(types).toEqual(['text', 'text', 'finish']);
  });
});

describe('openLanguageModel', () => {
  it.each([
    ['nothing', {}, undefined, /No model is connected/],
    [
      'a default without a key',
      { LLM_PROVIDER: 'b', PROVIDER_A_API_KEY: 'k' },
      undefined,
      /Anthropic is the default provider, but isn't connected/,
    ],
    [
      'another provider',
      { PROVIDER_A_API_KEY: 'k' },
      { provider: 'c', model: 'm' } as const,
      /Gemini isn't connected/,
    ],
  ])('reports the missing setting with %s configured', (_, environment, choice, text) => {
    const open = () => openLanguageModel(readConfig(environment), choice);
    expect(open).toThrow(NotConfigured);
    expect(open).toThrow(text);
  });

  it.each([
    [{ PROVIDER_A_API_KEY: 'k' }, 'a'],
    [{ PROVIDER_B_API_KEY: 'k', PROVIDER_C_API_KEY: 'k' }, 'b'],
    [{ PROVIDER_A_BASE_URL: 'http://127.0.0.1:1/v1' }, 'a'],
    [{ PROVIDER_A_API_KEY: 'k', PROVIDER_C_API_KEY: 'k', LLM_PROVIDER: 'c' }, 'c'],
  ])('selects the configured provider: %j', (environment, provider) => {
    const model = openLanguageModel(readConfig({ ...environment, LLM_MODEL: 'mine' }));
    expect(model).toMatchObject({ provider, model: 'mine' });
  });
});
