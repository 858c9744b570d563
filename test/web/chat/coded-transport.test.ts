import { describe, expect, it } from '@jest/globals';
import type { UIMessageChunk } from 'ai';
import { failWithCode } from '../../../web/chat/coded-transport.ts';

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

describe('an answer that fails in its stream', () => {
  it('fails with its code, after everything that came before', async () => {
    const code: UIMessageChunk = { type: 'data-error', data: { code: 'model_timeout', field: 'model' } };
    const { seen, error } = await read([start, failed, code]);
    expect(seen).toEqual([start]);
    expect(error).toMatchObject({
      message: 'The model took too long.',
      code: 'model_timeout',
      field: 'model',
    });
  });

  it('fails with its text where a service of before sends no code', async () => {
    for (const rest of [[], [start]]) {
      const { error } = await read([start, failed, ...rest]);
      expect(error).toMatchObject({ message: 'The model took too long.', code: undefined });
    }
  });

  it('passes everything else on', async () => {
    expect(await read([start, { type: 'finish' }])).toEqual({ seen: [start, { type: 'finish' }] });
  });
});
