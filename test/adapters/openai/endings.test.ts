import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openaiLanguageModel } from '../../../lib/adapters/openai/language-model.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../../lib/ports/language-model.ts';
import { type ChatRequest, type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { eventually } from '../../support/sync.ts';

const HELLO: ModelRequest = { system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] };

let provider: FakeOpenai;
beforeEach(async () => {
  provider = await startFakeOpenai({ answer: () => 'Hello.' });
});
afterEach(() => provider.stop());

async function run(request: Partial<ModelRequest> = {}, model = 'm', maxOutputTokens?: number) {
  const settings = { provider: 'a' as const, baseUrl: provider.url, model, maxOutputTokens };
  const events: ModelEvent[] = [];
  for await (const event of openaiLanguageModel(settings).stream({ ...HELLO, ...request }))
    events.push(event);
  return events;
}

function chunk(delta: Record<string, unknown>, reason: string | null = null) {
  return { choices: [{ index: 0, delta, finish_reason: reason }] };
}

const textOf = (events: ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe('usage', () => {
  const content = 'Owls hunt at night. '.repeat(500);

  it.each([
    ['includes cached tokens if the server excludes them', 60, 2300, 2360],
    ['is unchanged if the server includes cached tokens', 2360, 2300, 2360],
  ])('%s', async (_case, prompt_tokens, cached_tokens, inputTokens) => {
    const usage = { prompt_tokens, completion_tokens: 1, prompt_tokens_details: { cached_tokens } };
    provider.rawChunks = [chunk({ content: 'Yes.' }), { ...chunk({}, 'stop'), usage }, '[DONE]'];
    const events = await run({ messages: [{ role: 'user', content }] });
    expect(events.at(-1)).toMatchObject({ type: 'finish', usage: { inputTokens } });
  });
});

describe('end of an answer', () => {
  it('is [DONE] if the server sends no reason', async () => {
    provider.rawChunks = [chunk({ content: 'Whole [1].' }), '[DONE]'];
    expect((await run()).at(-1)).toMatchObject({ type: 'finish', reason: 'other' });
  });

  it('is an error without [DONE], even if the text contains it', async () => {
    provider.rawChunks = [chunk({ content: 'data: [DONE]\n\ndata: [DONE]' })];
    await expect(run()).rejects.toMatchObject({ code: 'model_interrupted' });
    provider.rawChunks = ['[DONE]'];
    await expect(run()).rejects.toMatchObject({ code: 'model_interrupted' });
  });

  it('returns complete calls, and drops those with possibly truncated arguments', async () => {
    const call = (text: string) =>
      chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'ls', arguments: text } }] });
    provider.rawChunks = [call('{"path":"a"}'), '[DONE]'];
    expect((await run()).map(({ type }) => type)).toContain('tool-call');
    provider.rawChunks = [call('{"pa'), '[DONE]'];
    await expect(run()).rejects.toMatchObject({ code: 'model_interrupted' });
  });

  it('continues through a few repetitions of the same text, and then disconnects from the server', async () => {
    const sentence = 'The default timeout of a request is 300 seconds, as the file says [1]. ';
    provider.answer = () => Array.from({ length: 5000 }, () => sentence);
    provider.paceMs = 1;
    const events = await run();
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'repeats', usage: { outputTokens: null } });
    expect(textOf(events).length).toBeLessThan(2500);
    await eventually(
      async () => provider.openChats,
      (open) => open === 0,
    );
  });

  it('continues through many spaces, and passes on the text that was held back', async () => {
    provider.answer = () => Array.from({ length: 60_000 }, () => '\n');
    const events = await run();
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'repeats' });
    await eventually(
      async () => provider.openChats,
      (open) => open === 0,
    );
  });

  it('is at the output limit, even if the server ignores it', async () => {
    provider.answer = () => Array.from({ length: 40_000 }, (_, at) => `Fact ${at} of ${at * 7}. `);
    const events = await run();
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
    expect(textOf(events).length).toBeLessThan(66_000);
    expect(provider.lastChat).not.toHaveProperty('max_tokens');
  });

  it('is at the limit of the settings, which is sent', async () => {
    provider.answer = () => Array.from({ length: 4000 }, (_, at) => `Fact ${at} of ${at * 7}. `);
    const events = await run({}, 'm', 1000);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
    expect(textOf(events).length).toBeLessThan(4100);
    expect(provider.lastChat).toMatchObject({ max_tokens: 1000 });
    await run({ maxOutputTokens: 60 }, 'm', 1000);
    expect(provider.lastChat).toMatchObject({ max_tokens: 60 });
  });

  it.each([
    ['model_length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['STOP', 'stop'],
    ['content-filter', 'content-filter'],
    ['tool_calls', 'stop'],
    ['eos_token', 'other'],
  ])('maps its reason %s to %s', async (reason, expected) => {
    provider.rawChunks = [chunk({ content: 'Owls hunt and' }, reason), '[DONE]'];
    expect((await run()).at(-1)).toMatchObject({ type: 'finish', reason: expected });
  });

  it.each(['error', 'ABORT', 'cancelled'])('is an error with the reason %s', async (reason) => {
    provider.rawChunks = [chunk({ content: 'Owls hunt and' }, reason), '[DONE]'];
    await expect(run()).rejects.toMatchObject({ code: 'model_interrupted' });
  });

  it.each([
    [{ object: 'error', message: 'worker died', code: 500 }, 'model_failed'],
    [{ detail: 'worker died', status_code: 500 }, 'model_failed'],
    [{ message: 'worker died' }, 'model_interrupted'],
  ])('is an error for a chunk without choices: %j', async (piece, code) => {
    provider.rawChunks = [chunk({ content: 'Owls hunt' }), piece, '[DONE]'];
    await expect(run()).rejects.toMatchObject({ code, message: expect.stringContaining('worker died') });
  });

  it("doesn't end at an empty reason, or at a reason before more text", async () => {
    const texts = ['The answer ', 'comes ', 'late.'];
    provider.rawChunks = [
      ...texts.map((content) => chunk({ content }, '')),
      chunk({ content: ' And' }, 'null'),
      chunk({}, 'stop'),
      chunk({ content: ' more.' }),
    ];
    await expect(run()).rejects.toMatchObject({ code: 'model_interrupted' });
    provider.rawChunks.push(chunk({}, 'stop'));
    expect(textOf(await run())).toBe('The answer comes late. And more.');
    expect((await run()).at(-1)).toMatchObject({ reason: 'stop' });
  });

  it('includes the usage only if it is numeric', async () => {
    const usageOf = async (prompt_tokens: unknown, completion_tokens: unknown) => {
      const usage = { prompt_tokens, completion_tokens };
      provider.rawChunks = [{ ...chunk({ content: 'So.' }, 'stop'), usage }, '[DONE]'];
      return (await run()).at(-1);
    };
    const usage = { inputTokens: null, outputTokens: null };
    expect(await usageOf('120', { a: 1 })).toMatchObject({ usage });
    expect(await usageOf(-5, 'abc')).toMatchObject({ usage });
    expect(await usageOf(300.5, 1e300)).toMatchObject({ usage: { inputTokens: 301, outputTokens: 1e9 } });
  });

  it('is read even if chunks and calls are empty', async () => {
    const nothing = [null, 7, { choices: [null] }, { choices: null }, {}, { type: 'ping' }];
    provider.rawChunks = [...nothing, chunk({ content: 'Whole.', tool_calls: [null] }), '[done]'];
    expect(textOf(await run())).toBe('Whole.');
  });

  it("isn't missed if the arguments end before it", async () => {
    const call = { index: 0, id: 'c', function: { name: 'ls', arguments: '{"pa' } };
    provider.rawChunks = [chunk({ tool_calls: [call] }), chunk({}, 'model_length'), '[DONE]'];
    expect((await run()).map(({ type }) => type)).not.toContain('tool-call');
    provider.rawChunks = [chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), '[DONE]'];
    expect((await run()).map(({ type }) => type)).toContain('tool-call');
    provider.rawChunks = [chunk({ tool_calls: [call] }), chunk({}, 'odd'), '[DONE]'];
    await expect(run()).rejects.toMatchObject({ code: 'model_interrupted' });
  });
});

describe('text of an answer', () => {
  const choice = (fields: object) => ({ choices: [{ index: 0, ...fields }] });

  it.each([
    ['a message instead of a delta', [choice({ message: { content: 'Owls hunt.' }, finish_reason: 'stop' })]],
    ['a separate field', [choice({ text: 'Owls ' }), choice({ text: 'hunt.', finish_reason: 'stop' })]],
    [
      'the whole message once more',
      [
        chunk({ content: 'Owls hunt.' }),
        choice({ message: { content: 'Owls hunt.' }, finish_reason: 'stop' }),
      ],
    ],
    [
      'the whole text once more',
      [chunk({ content: 'Owls ' }), chunk({ content: 'hunt.' }), chunk({ content: 'Owls hunt.' }, 'stop')],
    ],
  ])('is read from %s', async (_, chunks) => {
    provider.rawChunks = [...chunks, '[DONE]'];
    expect(textOf(await run())).toBe('Owls hunt.');
  });

  it('is read once from cumulative chunks, and twice if a chunk is shorter', async () => {
    const pieces = ['Owls hunt', 'Owls hunt mice', 'Owls hunt mice.'];
    provider.rawChunks = [...pieces.map((content) => chunk({ content })), chunk({}, 'stop')];
    expect(textOf(await run())).toBe('Owls hunt mice.');
    provider.rawChunks = [...['ha', 'ha', 'haha'].map((content) => chunk({ content })), chunk({}, 'stop')];
    expect(textOf(await run())).toBe('hahahaha');
    provider.rawChunks = [chunk({ content: 42 }, 'stop')];
    expect(textOf(await run())).toBe('42');
  });
});

describe('rate limit', () => {
  it('emits an event with its seconds, then retries the request', async () => {
    provider.failure = 'rate-limited';
    provider.retryAfter = '2';
    const told = openaiLanguageModel({ provider: 'a', baseUrl: provider.url, model: 'm' }).stream(HELLO);
    const events = told[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'rate-limited', seconds: 2 });
    provider.failure = undefined;
    expect((await events.next()).value).toEqual({ type: 'text', text: 'Hello.' });
    expect(provider.chatRequests).toBe(2);
  });

  it('fails the answer if it is longer than a minute', async () => {
    provider.failure = 'rate-limited';
    provider.retryAfter = '3600';
    await expect(run()).rejects.toMatchObject({
      code: 'model_rate_limited',
      headers: { 'retry-after': '3600' },
    });
    expect(provider.chatRequests).toBe(1);
  });
});

describe('message roles', () => {
  const rolesOf = (request: ChatRequest | undefined) => request?.messages.map(({ role }) => role);

  it('alternate in every conversation', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Unanswered' },
      { role: 'user', content: 'Answered' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'assistant', content: 'And no.' },
      {
        role: 'user',
        content: 'Look',
        attachments: [{ name: 'a', text: 'A picture', picture: { mediaType: 'image/png', base64: 'aaaa' } }],
      },
      { role: 'user', content: 'Now' },
    ];
    await run({ messages });
    expect(rolesOf(provider.lastChat)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(provider.lastChat?.messages[1]?.content).toBe('Unanswered\n\nAnswered');
    expect(JSON.stringify(provider.lastChat?.messages[3]?.content)).toMatch(
      /A picture.*image_url.*Look.*Now/,
    );
  });

  it('keep calls and their results unchanged', async () => {
    const toolCalls = [
      { id: 'c1', name: 'ls', input: '{}' },
      { id: 'c2', name: 'ls', input: '{}' },
    ];
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', toolCallId: 'c1', content: 'a' },
      { role: 'tool', toolCallId: 'c2', content: 'b' },
      { role: 'user', content: 'And?' },
    ];
    await run({ messages });
    expect(rolesOf(provider.lastChat)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user']);
  });
});
