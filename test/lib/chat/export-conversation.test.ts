import { describe, expect, it } from '@jest/globals';
import { exportConversation } from '../../../lib/chat/export-conversation.ts';
import type { Conversation } from '../../../lib/conversations/schema.ts';

function exported(text: string, { title = 't', role = 'assistant' as 'assistant' | 'user' } = {}): string {
  const conversation = { title, createdAt: '2026-11-22T00:00:00.000Z' } as Conversation;
  return exportConversation(conversation, [{ id: 'm', role, parts: [{ type: 'text', text }] }]);
}

describe('an exported conversation', () => {
  it.each([
    '\\`<img src=x>\\`',
    'a ```\n\n<img src=x>\n\n``` b',
    '`a\nb` <img src=x> `c`',
    '~~~\n```\n~~~\n<img src=x>\n```',
    '|a|b|\n|-|-|\n|`a | <img src=x> `|',
    '- x\n  ```\n  y\n<img src=x>\n  ```',
    '> ```\n<img src=x>\n```',
    '```\nx\n```   \n<img src=x>\n```',
  ])('has no HTML of an answer that only looks like code: %j', (text) => {
    expect(exported(text)).not.toContain('<img');
  });

  it.each(['`Array<string>`', '```ts\nArray<string>\n```', '``a ` <b>``', '~~~\n<b>\n~~~'])(
    'has code as it is: %j',
    (text) => {
      expect(exported(`See\n\n${text}\n\nand a < b.`)).toContain(`${text}\n\nand a &lt; b.`);
    },
  );

  it('keeps a title and a question in their places, whatever ends their lines', () => {
    expect(exported('x', { title: 'a\n===\nb' })).toMatch(/^# a === b\n/);
    expect(exported('a\r\rb', { role: 'user' })).toContain('> a\n> \n> b');
  });
});
