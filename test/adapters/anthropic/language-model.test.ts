import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { anthropicLanguageModel } from '../../../lib/adapters/anthropic/language-model.ts';
import { UpstreamFailed } from '../../../lib/errors.ts';
import type { ModelEvent, ModelRequest } from '../../../lib/ports/language-model.ts';
import {
  delta,
  type FakeAnthropic,
  messageEnd,
  messageStart,
  startFakeAnthropic,
  textAnswer,
} from '../../support/fakes/fake-anthropic.ts';
import { passAtEach, stopTimers, turns } from '../../support/fakes/fake-timers.ts';
import { whenDone } from '../../support/temp-folder.ts';

let fake: FakeAnthropic;

beforeEach(async () => {
  jest.useRealTimers();
  fake = await startFakeAnthropic();
  whenDone(fake.stop);
});

const HELLO: ModelRequest = { system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] };

async function run(request: Partial<ModelRequest> = {}, pauseMs?: number): Promise<ModelEvent[]> {
  const model = anthropicLanguageModel({ apiKey: 'k1', baseUrl: fake.url, model: 'm', pauseMs });
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ ...HELLO, ...request })) events.push(event);
  return events;
}

async function readRest(reader: AsyncIterator<ModelEvent>): Promise<void> {
  while ((await reader.next()).done !== true);
}

describe('anthropicLanguageModel', () => {
  it('streams text and finishes with the usage', async () => {
    expect(await run()).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' there' },
      { type: 'finish', reason: 'stop', usage: { inputTokens: 11, outputTokens: 7 } },
    ]);
    expect(fake.lastBody).toMatchObject({ model: 'm', system: 'Be kind.', stream: true });
  });

  it('sends the API key in the x-api-key header', async () => {
    await run();
    expect(fake.lastHeaders).toMatchObject({ 'x-api-key': 'k1', 'anthropic-version': '2023-06-01' });
    expect(fake.lastHeaders.authorization).toBeUndefined();
  });

  it('assembles tool calls and keeps the signed thinking before them', async () => {
    fake.events = [
      messageStart,
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 't1', name: 'grep', input: {} },
      },
      delta(1, { type: 'input_json_delta', partial_json: '{"q":' }),
      delta(1, { type: 'input_json_delta', partial_json: '"x"}' }),
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 't2', name: 'ls', input: {} },
      },
      ...messageEnd('tool_use'),
    ];
    const events = await run();
    const thinking = [{ type: 'thinking', thinking: 'Hm.', signature: 'sig' }];
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    expect(calls).toEqual([
      { id: 't1', name: 'grep', input: '{"q":"x"}', echo: { thinking } },
      { id: 't2', name: 'ls', input: '{}' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
    fake.events = textAnswer('Done');
    await run({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Looking.', toolCalls: calls },
        { role: 'tool', toolCallId: 't1', content: 'found' },
        { role: 'tool', toolCallId: 't2', content: 'none', isError: true },
        { role: 'user', content: 'Go on' },
      ],
    });
    const toolUse = { type: 'tool_use', id: 't1', name: 'grep', input: { q: 'x' } };
    expect(fake.lastBody.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          ...thinking,
          { type: 'text', text: 'Looking.' },
          toolUse,
          { type: 'tool_use', id: 't2', name: 'ls', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'found', is_error: false },
          { type: 'tool_result', tool_use_id: 't2', content: 'none', is_error: true },
          { type: 'text', text: 'Go on' },
        ],
      },
    ]);
  });

  it.each([
    ['max_tokens', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'other'],
  ])('maps the stop reason %s to %s', async (given, reason) => {
    fake.events = [messageStart, ...messageEnd(given)];
    expect((await run()).at(-1)).toMatchObject({ type: 'finish', reason });
  });

  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'sk-very-secret' } };
  const unfinished = textAnswer('Hello').slice(0, -2);
  it.each<[string, Partial<FakeAnthropic>, RegExp]>([
    ['ends without a reason', { events: unfinished }, /stopped in the middle/],
    ['is cut', { events: unfinished, ending: 'cut' }, /the connection was cut/],
    ['sends an error', { events: [...unfinished, overloaded] }, /is overloaded/],
    ['refuses the key', { status: 401 }, /refused the key/],
    ['is overloaded', { status: 529 }, /overloaded/],
  ])('throws when the stream %s', async (_, state, text) => {
    Object.assign(fake, state);
    const failure = await run().catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(UpstreamFailed);
    expect((failure as Error).message).toMatch(text);
    expect(`${(failure as Error).message} ${(failure as Error).cause}`).not.toContain('very-secret');
  });

  it('keeps waiting while the provider sends pings, up to a limit', async () => {
    stopTimers();
    fake.pings = 10;
    const patient = run({}, 60 * 60_000);
    await passAtEach(() => fake.pingsSent, 10_000, patient);
    expect((await patient).map(({ type }) => type)).toEqual(['text', 'text', 'finish']);
    fake.pings = Number.POSITIVE_INFINITY;
    const given = expect(run()).rejects.toThrow(/stopped in the middle/);
    await passAtEach(() => fake.pingsSent, 10_000, given);
    await given;
  });

  it('waits at most a minute for the next chunk', async () => {
    stopTimers();
    fake.events = unfinished;
    fake.ending = 'stall';
    const events = anthropicLanguageModel({ apiKey: 'k1', baseUrl: fake.url, model: 'm' }).stream(HELLO);
    const reader = events[Symbol.asyncIterator]();
    expect((await reader.next()).value).toMatchObject({ type: 'text', text: 'Hello' });
    const given = expect(readRest(reader)).rejects.toThrow(/stopped in the middle/);
    await turns();
    jest.advanceTimersByTime(60_000);
    await given;
  });

  it('stops when its signal is aborted', async () => {
    fake.events.splice(-2);
    fake.ending = 'stall';
    await expect(run({ signal: AbortSignal.timeout(30) })).rejects.toThrow(/timeout/);
  });
});
