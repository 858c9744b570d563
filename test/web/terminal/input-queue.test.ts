import { describe, expect, it } from '@jest/globals';
import { inputQueue } from '../../../web/terminal/input-queue.ts';

const settled = () => new Promise((done) => setTimeout(done, 0));

describe('inputQueue', () => {
  it('sends text that is typed during a request afterward, in one piece, and sends a long paste in several pieces', async () => {
    const sent: string[] = [];
    const type = inputQueue(
      async (text) => void sent.push(text),
      () => {},
    );
    for (const key of 'abc') type(key);
    await settled();
    type('x'.repeat(70_000));
    await settled();
    expect(sent.map((text) => text.slice(0, 3))).toEqual(['a', 'bc', 'xxx', 'xxx']);
    expect(sent.map((text) => text.length)).toEqual([1, 2, 65_536, 4_464]);
  });

  it('drops waiting text after a failure, and continues with the next key', async () => {
    const errors: Error[] = [];
    const sent: string[] = [];
    const type = inputQueue(
      async (text) => {
        if (text === 'a') throw new Error('gone');
        sent.push(text);
      },
      (error) => errors.push(error),
    );
    type('a');
    type('b');
    await settled();
    type('c');
    await settled();
    expect([errors.length, sent]).toEqual([1, ['c']]);
  });
});
