import { describe, expect, it } from '@jest/globals';
import type { UIMessageChunk } from 'ai';
import { endsWhole, failWithCode } from '../../../web/chat/coded-transport.ts';

async function read(parts: UIMessageChunk[]) {
  const seen: UIMessageChunk[] = [];
  try {
    for await (const part of ReadableStream.from(parts).pipeThrough(failWithCode())) seen.push(part);
    return { seen };
  } catch (error) {
    return { seen, error };
  }
}

const start: UIMessageChunk = { type: 'start' };
const failed: UIMessageChunk = { type: 'error', errorText: 'The model took too long.' };

describe('answer that fails in its stream', () => {
  it('fails with its code after all other parts', async () => {
    const code: UIMessageChunk = { type: 'data-error', data: { code: 'model_timeout', field: 'model' } };
    const { seen, error } = await read([start, failed, code]);
    expect(seen).toEqual([start]);
    expect(error).toMatchObject({
      message: 'The model took too long.',
      code: 'model_timeout',
      field: 'model',
    });
  });

  it('fails with its text if an older service sends no code', async () => {
    for (const rest of [[], [start]]) {
      const { error } = await read([start, failed, ...rest]);
      expect(error).toMatchObject({ message: 'The model took too long.', code: undefined });
    }
  });

  it('passes on everything else', async () => {
    expect(await read([start, { type: 'finish' }])).toEqual({ seen: [start, { type: 'finish' }] });
  });
});

describe('answer whose connection breaks', () => {
  const text: UIMessageChunk = { type: 'text-delta', id: 'a', delta: 'Half' };

  async function readWhole(source: ReadableStream<UIMessageChunk>) {
    const seen: UIMessageChunk[] = [];
    try {
      for await (const part of endsWhole(source)) seen.push(part);
      return { seen };
    } catch (error) {
      return { seen, error };
    }
  }

  function failing(reason: Error) {
    let sent = false;
    return new ReadableStream<UIMessageChunk>({
      pull(controller) {
        if (sent) controller.error(reason);
        else controller.enqueue(text);
        sent = true;
      },
    });
  }

  it.each([
    ["with the browser's error", failing(new TypeError('network error'))],
    ['without an error, as from a proxy', ReadableStream.from([text])],
  ])('fails with a separate code %s', async (_how, source) => {
    const { seen, error } = await readWhole(source);
    expect(seen).toEqual([text]);
    expect(error).toMatchObject({ status: 0, code: 'stream_broken' });
  });

  it('keeps the error that is already known, and a stop by a person', async () => {
    const stop = new DOMException('stopped', 'AbortError');
    expect((await readWhole(failing(stop))).error).toBe(stop);
  });

  it.each(['finish', 'abort'] as const)('is complete after %s', async (type) => {
    expect(await readWhole(ReadableStream.from([text, { type }]))).toEqual({ seen: [text, { type }] });
  });
});
