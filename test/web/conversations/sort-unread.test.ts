import { expect, it } from '@jest/globals';
import { type Seen, sortUnread } from '../../../web/conversations/sort-unread.ts';

const chat = (id: string, messageCount: number, answering = false) => ({ id, messageCount, answering });
const unreadIn = (seen: Seen | undefined, listed: ReturnType<typeof chat>[], open?: string) => [
  ...sortUnread(seen, listed, open).unread,
];

it('sortUnread treats the first list as seen', () => {
  const { unread, seen } = sortUnread(undefined, [chat('a', 2), chat('b', 4, true)], undefined);
  expect([...unread]).toEqual([]);
  expect(seen).toEqual({ a: [2, false], b: [4, true] });
});

it('sortUnread marks an answer that finished after its reader left', () => {
  const left: Seen = { a: [2, false] };
  expect(unreadIn(left, [chat('a', 3, true)])).toEqual([]);
  expect(unreadIn(left, [chat('a', 4)])).toEqual(['a']);
  expect(unreadIn({ a: [3, true] }, [chat('a', 3)])).toEqual(['a']);
});

it("sortUnread marks a new conversation, such as a task's conversation, but not the open one", () => {
  expect(unreadIn({}, [chat('a', 2), chat('b', 2)], 'b')).toEqual(['a']);
});

it('sortUnread keeps a mark until the conversation is opened', () => {
  const { seen } = sortUnread({ a: [2, false] }, [chat('a', 4)], undefined);
  expect(unreadIn(seen, [chat('a', 4)])).toEqual(['a']);
  expect(sortUnread(seen, [chat('a', 4)], 'a').seen).toEqual({ a: [4, false] });
});

it('sortUnread forgets conversations that are no longer listed', () => {
  expect(sortUnread({ a: [2, false], gone: [1, false] }, [chat('a', 2)], undefined).seen).toEqual({
    a: [2, false],
  });
});
