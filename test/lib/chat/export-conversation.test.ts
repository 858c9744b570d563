import { describe, expect, it } from '@jest/globals';
import { exportConversation } from '../../../lib/chat/export-conversation.ts';
import type { Conversation, Message } from '../../../lib/conversations/schema.ts';

function exported(
  text: string,
  { title = 't', role = 'assistant' as 'assistant' | 'user' } = {},
): Promise<string> {
  return exportConversation(conversationOf(title), [{ id: 'm', role, parts: [{ type: 'text', text }] }]);
}

function conversationOf(title: string): Conversation {
  return { title, createdAt: '2026-11-22T00:00:00.000Z' } as Conversation;
}

function answer(numbers: number[]): Message {
  const text = `Owls hunt ${numbers.map((number) => `[${number}]`).join('')}.`;
  const citations = numbers.map((index) => ({
    ...{ type: 'data-citation', id: String(index) },
    data: {
      ...{ index, path: 'owls.md', startLine: index, endLine: index, quote: 'Owls hunt.' },
      ...{ fileHash: 'a', verified: true, stale: false },
    },
  }));
  return { id: `m${numbers.length}`, role: 'assistant', parts: [{ type: 'text', text }, ...citations] };
}

describe('exported conversation', () => {
  it.each([
    '\\`<img src=x>\\`',
    'a ```\n\n<img src=x>\n\n``` b',
    '`a\nb` <img src=x> `c`',
    '~~~\n```\n~~~\n<img src=x>\n```',
    '|a|b|\n|-|-|\n|`a | <img src=x> `|',
    '- x\n  ```\n  y\n<img src=x>\n  ```',
    '> ```\n<img src=x>\n```',
    '```\nx\n```   \n<img src=x>\n```',
  ])('contains no HTML of an answer that only looks like code: %j', async (text) => {
    expect(await exported(text)).not.toContain('<img');
  });

  it.each(['`Array<string>`', '```ts\nArray<string>\n```', '``a ` <b>``', '~~~\n<b>\n~~~'])(
    'contains code unchanged: %j',
    async (text) => {
      expect(await exported(`See\n\n${text}\n\nand a < b.`)).toContain(`${text}\n\nand a &lt; b.`);
    },
  );

  it('keeps a title and a question in their places, whatever line breaks they contain', async () => {
    expect(await exported('x', { title: 'a\n===\nb' })).toMatch(/^# a === b\n/);
    expect(await exported('a\r\rb', { role: 'user' })).toContain('> a\n> \n> b');
  });

  it('contains the numbers of the citations, after the number of the answer if several cite', async () => {
    const [first, none, second] = [answer([1, 2]), answer([]), answer([1])];
    const question = { id: 'q', role: 'user' as const, parts: [{ type: 'text', text: 'Owls?' }] };
    const one = await exportConversation(conversationOf('t'), [question, first, question, none]);
    expect(one).toContain('Owls hunt [^1][^2].');
    expect(one.match(/^\[\^.+\]:/gm)).toEqual(['[^1]:', '[^2]:']);
    const all = await exportConversation(conversationOf('t'), [
      question,
      first,
      question,
      none,
      question,
      second,
    ]);
    expect(all).toContain('Owls hunt [^1-1][^1-2].');
    expect(all).toContain('Owls hunt [^3-1].');
    expect(all.match(/^\[\^.+\]:/gm)).toEqual(['[^1-1]:', '[^1-2]:', '[^3-1]:']);
  });
});
