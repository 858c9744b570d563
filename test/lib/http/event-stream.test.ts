import { once } from 'node:events';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai';
import type { StreamPart } from '../../../lib/api-contract/stream-part.ts';
import { UpstreamFailed } from '../../../lib/errors.ts';
import { EVENT_STREAM_HEADERS, eventStream } from '../../../lib/http/event-stream.ts';
import { stopTimers, turns } from '../../support/fakes/fake-timers.ts';

const ANSWER: StreamPart[] = [
  { type: 'start', messageId: 'm1' },
  { type: 'data-notice', data: { code: 'index-empty', text: 'No files.' } },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Zebras 斑马 [1]' },
  { type: 'text-end', id: '1' },
  { type: 'data-citation', id: '1', data: { index: 1, path: 'a.md' } },
  { type: 'source-document', sourceId: '1', mediaType: 'text/markdown', title: 'a.md' },
  { type: 'finish', finishReason: 'stop', messageMetadata: { model: 'm' } },
];

async function* yieldAll(parts: StreamPart[], failure?: Error): AsyncGenerator<StreamPart> {
  yield* parts;
  if (failure !== undefined) throw failure;
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** Reads our bytes as the AI SDK's useChat does. */
async function readWithSdk(parts: StreamPart[], failure?: Error) {
  const bytes = await readAll(eventStream(() => yieldAll(parts, failure)));
  const errors: unknown[] = [];
  const transport = new DefaultChatTransport({
    fetch: async () => new Response(bytes, { status: 200, headers: EVENT_STREAM_HEADERS }),
  });
  const stream = await transport.sendMessages({
    chatId: 'c1',
    messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    trigger: 'submit-message',
    messageId: undefined,
    abortSignal: undefined,
  });
  let message: UIMessage | undefined;
  const messages = readUIMessageStream({ stream, onError: (error) => void errors.push(error) });
  for await (const next of messages) message = next;
  return { message, errors };
}

afterEach(() => void jest.useRealTimers());

describe('eventStream', () => {
  it('is valid for the AI SDK', async () => {
    const { message, errors } = await readWithSdk(ANSWER);
    expect(errors).toEqual([]);
    expect(message).toMatchObject({ id: 'm1', role: 'assistant', metadata: { model: 'm' } });
    expect(message?.parts).toEqual([
      expect.objectContaining({ type: 'data-notice' }),
      expect.objectContaining({ type: 'text', text: 'Zebras 斑马 [1]', state: 'done' }),
      expect.objectContaining({ type: 'data-citation', data: { index: 1, path: 'a.md' } }),
      expect.objectContaining({ type: 'source-document', title: 'a.md' }),
    ]);
  });

  it('passes a failure to the AI SDK with a text for the caller', async () => {
    const { message, errors } = await readWithSdk(
      ANSWER.slice(0, 4),
      new UpstreamFailed('upstream_failed', 'provider a failed'),
    );
    expect(errors.map(String)).toEqual(['Error: provider a failed']);
    expect(message?.parts).toContainEqual(expect.objectContaining({ text: 'Zebras 斑马 [1]' }));
  });

  it('numbers its events and ends with [DONE]', async () => {
    const text = await readAll(eventStream(() => yieldAll(ANSWER.slice(0, 1))));
    expect(text).toBe('id: 1\ndata: {"type":"start","messageId":"m1"}\n\ndata: [DONE]\n\n');
  });

  it('hides internal errors', async () => {
    const text = await readAll(eventStream(() => yieldAll([], new Error('/secret/path'))));
    expect(text).toBe(
      'id: 1\ndata: {"type":"error","errorText":"Something went wrong in the service. Try again."}\n\nid: 2\ndata: {"type":"data-error","data":{"code":"internal_error"}}\n\ndata: [DONE]\n\n',
    );
  });

  it('sends a comment only while nothing else is sent', async () => {
    stopTimers();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<StreamPart> {
      yield { type: 'start' };
      await over;
      yield { type: 'finish' };
    }
    const stream = eventStream(slow);
    const text = readAll(stream);
    await turns(); // the first part was sent, and the reader waits
    jest.advanceTimersByTime(45_000);
    end();
    expect(await text).toBe(
      `id: 1\ndata: {"type":"start"}\n\n${': still here\n\n'.repeat(3)}id: 2\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n`,
    );
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sends all available parts together immediately, without waiting for more', async () => {
    const { promise: firstRead, resolve: goOn } = Promise.withResolvers<void>();
    async function* twoBursts(): AsyncGenerator<StreamPart> {
      yield* ANSWER.slice(0, 3);
      await firstRead;
      yield* ANSWER.slice(3);
    }
    const pieces: number[] = [];
    for await (const piece of eventStream(twoBursts)) {
      pieces.push(String(piece).split('\n\n').length - 1);
      goOn();
    }
    expect(pieces).toEqual([3, ANSWER.length - 3 + 1]);
  });

  it('requests no more parts than the reader consumes', async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<StreamPart> {
      for (;;) {
        made += 1;
        yield { type: 'text-delta', id: '1', delta: 'x'.repeat(1000) };
      }
    }
    const stream = eventStream(endless);
    stream.read(1);
    await turns();
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(100);
    stream.destroy();
  });

  it('aborts its source if the reader disconnects', async () => {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<boolean>();
    const stream = eventStream(async function* wait(signal): AsyncGenerator<StreamPart> {
      yield { type: 'start' };
      await once(signal, 'abort');
      stop(signal.aborted);
    });
    for await (const _ of stream) break;
    expect(stream.destroyed).toBe(true);
    expect(await stopped).toBe(true);
  });
});
