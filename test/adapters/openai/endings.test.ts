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

describe('the usage', () => {
  const content = 'Owls hunt at night. '.repeat(500);

  it.each([
    ['counts the tokens of the cache, where the server leaves them out', 60, 2300, 2360],
    ['is what the server says, where they are among its tokens', 2360, 2300, 2360],
  ])('%s', async (_case, prompt_tokens, cached_tokens, inputTokens) => {
    const usage = { prompt_tokens, completion_tokens: 1, prompt_tokens_details: { cached_tokens } };
    provider.rawChunks = [chunk({ content: 'Yes.' }), { ...chunk({}, 'stop'), usage }, '[DONE]'];
    const events = await run({ messages: [{ role: 'user', content }] });
    expect(events.at(-1)).toMatchObject({ type: 'finish', usage: { inputTokens } });
  });
});

describe('the end of an answer', () => {
  it('is its [DONE], where the server gives no reason', async () => {
    provider.rawChunks = [chunk({ content: 'Whole [1].' }), '[DONE]'];
    expect((await run()).at(-1)).toMatchObject({ type: 'finish', reason: 'other' });
  });

  it('is a break without it, and where only the text has it', async () => {
    provider.rawChunks = [chunk({ content: 'data: [DONE]\n\ndata: [DONE]' })];
    await expect(run()).rejects.toMatchObject({ code: 'model_interrupted' });
    provider.rawChunks = ['[DONE]'];
    await expect(run()).rejects.toMatchObject({ code: 'model_interrupted' });
  });

  it('makes whole calls, and none whose arguments may be cut', async () => {
    const call = (text: string) =>
      chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'ls', arguments: text } }] });
    provider.rawChunks = [call('{"path":"a"}'), '[DONE]'];
    expect((await run()).map(({ type }) => type)).toContain('tool-call');
    provider.rawChunks = [call('{"pa'), '[DONE]'];
    await expect(run()).rejects.toMatchObject({ code: 'model_interrupted' });
  });

  it('comes after a few rounds of the same, and the server is left', async () => {
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

  it('comes after many blanks, and what was held is passed on', async () => {
    provider.answer = () => Array.from({ length: 60_000 }, () => '\n');
    const events = await run();
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'repeats' });
    await eventually(
      async () => provider.openChats,
      (open) => open === 0,
    );
  });

  it('comes at the limit of a server that keeps to none', async () => {
    provider.answer = () => Array.from({ length: 40_000 }, (_, at) => `Fact ${at} of ${at * 7}. `);
    const events = await run();
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
    expect(textOf(events).length).toBeLessThan(66_000);
    expect(provider.lastChat).not.toHaveProperty('max_tokens');
  });

  it('comes at the limit of the settings, which is sent', async () => {
    provider.answer = () => Array.from({ length: 4000 }, (_, at) => `Fact ${at} of ${at * 7}. `);
    const events = await run({}, 'm', 1000);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
    expect(textOf(events).length).toBeLessThan(4100);
    expect(provider.lastChat).toMatchObject({ max_tokens: 1000 });
    await run({ maxOutputTokens: 60 }, 'm', 1000);
    expect(provider.lastChat).toMatchObject({ max_tokens: 60 });
  });

  it('is that of an answer in one piece', async () => {
    const { createServer } = await import('node:http');
    const body = {
      choices: [{ message: { role: 'assistant', content: 'All at once.' }, finish_reason: 'length' }],
    };
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    const model = openaiLanguageModel({ provider: 'a', baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm' });
    const events = await Array.fromAsync(model.stream(HELLO));
    server.close();
    expect(textOf(events)).toBe('All at once.');
    expect(events.at(-1)).toMatchObject({ reason: 'length' });
  });
});

describe('a rate limit', () => {
  it('is an event with its seconds, and the request is sent again', async () => {
    provider.failure = 'rate-limited';
    provider.retryAfter = '2';
    const told = openaiLanguageModel({ provider: 'a', baseUrl: provider.url, model: 'm' }).stream(HELLO);
    const events = told[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'rate-limited', seconds: 2 });
    provider.failure = undefined;
    expect((await events.next()).value).toEqual({ type: 'text', text: 'Hello.' });
    expect(provider.chatRequests).toBe(2);
  });

  it('over a minute ends the answer', async () => {
    provider.failure = 'rate-limited';
    provider.retryAfter = '3600';
    await expect(run()).rejects.toMatchObject({
      code: 'model_rate_limited',
      headers: { 'retry-after': '3600' },
    });
    expect(provider.chatRequests).toBe(1);
  });
});

describe('the roles of a request', () => {
  const rolesOf = (request: ChatRequest | undefined) => request?.messages.map(({ role }) => role);

  it('alternate, whatever was said before', async () => {
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

  it('leave calls and their results as they are', async () => {
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
