import { describe, expect, it } from '@jest/globals';
import { readEvent } from '../../../../lib/bots/feishu/event.ts';
import {
  type FeishuTestMessage,
  feishuMessageEvent,
  feishuPressEvent,
} from '../../../support/fakes/feishu-events.ts';
import { longestSlice, MOST_SLICE_MS } from '../../../support/processes/longest-slice.ts';

const manyNames = Array.from({ length: 6000 }, (_, at) => `"k${at}":1`).join(',');
const AT = '2026-03-01T12:00:00.000Z';
const read = (message: FeishuTestMessage) => readEvent(feishuMessageEvent('t', message), AT);

function contentOf(message: FeishuTestMessage) {
  const event = read(message);
  return event.kind === 'message' ? event.message.content : event.kind;
}

describe('message event', () => {
  it('is read with both of its IDs', () => {
    expect(read({ eventId: 'e1', messageId: 'om_1', chatId: 'oc_1', senderId: 'ou_1' })).toEqual({
      kind: 'message',
      ids: ['e1', 'om_1'],
      message: {
        kind: 'message',
        platform: 'ima',
        chatId: 'oc_1',
        chatType: 'p2p',
        senderId: 'ou_1',
        messageId: 'om_1',
        content: { type: 'text', text: 'hello' },
        receivedAt: AT,
      },
    });
  });

  const bot = { key: '@_user_1', id: { open_id: 'ou_bot' }, name: 'Bot' };
  const person = { key: '@_user_12', id: { open_id: 'ou_x' }, name: '$& Alice', mentioned_type: 'user' };
  it.each([
    ['@_user_1 /status', [bot], '/status'],
    ['  @_user_1\u00a0 /mode plan', [bot], '/mode plan'],
    ['@_user_1 ask @_user_12 why', [bot, person], 'ask @$& Alice why'],
    ['@_user_12 @_user_1 what?', [{ ...bot, mentioned_type: 'bot' }, person], '@$& Alice  what?'],
    ['@_all @_user_1 /help', [bot], '/help'],
    ['tell @_all', [], 'tell @all'],
    ['see [a](https://a.example)', undefined, 'see [a](https://a.example)'],
  ])('%j is read without the mentions of the bot', (text, mentions, expected) => {
    const group = { chatType: 'group', content: { text } } as const;
    expect(contentOf(mentions === undefined ? group : { ...group, mentions })).toEqual({
      type: 'text',
      text: expected,
    });
  });

  it.each([
    ['file', { file_key: 'f1', file_name: 'a.txt' }, { type: 'file', key: 'f1', name: 'a.txt' }],
    ['audio', { file_key: 'f2', duration: 2000 }, { type: 'audio', key: 'f2', durationMs: 2000 }],
    ['audio', { file_key: 'f2', duration: 'long' }, { type: 'audio', key: 'f2', durationMs: null }],
    ['image', { image_key: 'i1' }, { type: 'other', name: 'image' }],
    ['media', { file_key: 'f3', image_key: 'i' }, { type: 'other', name: 'video' }],
    ['file', { nothing: true }, { type: 'other', name: 'file' }],
    ['sticker', { file_key: 'f4' }, { type: 'other', name: 'sticker' }],
    ['share_chat', { chat_id: 'oc_2' }, { type: 'other', name: 'share_chat' }],
    ['location', { name: 'Home', longitude: '1', latitude: '2' }, { type: 'other', name: 'location' }],
    ['merge_forward', 'Merged and Forwarded Message', { type: 'other', name: 'merge_forward' }],
    ['todo', { summary: { title: 't' } }, { type: 'other', name: 'todo' }],
    ['post', { title: '', content: [[{ tag: 'img', image_key: 'i' }]] }, { type: 'other', name: 'post' }],
    ['interactive', { header: {} }, { type: 'other', name: 'interactive' }],
    [
      'interactive',
      { title: 'Done', elements: [[{ tag: 'text', text: 'Owls hunt by night.' }], [{ tag: 'hr' }]] },
      { type: 'text', text: 'Done\nOwls hunt by night.' },
    ],
    [
      'post',
      {
        title: 'Plan',
        content: [
          [
            { tag: 'at', user_id: '@_user_1' },
            { tag: 'text', text: ' read ' },
            { tag: 'a', text: 'it', href: 'https://x' },
          ],
          [{ tag: 'img', image_key: 'i' }],
          [{ tag: 'text', text: 'and say' }],
        ],
      },
      { type: 'text', text: 'Plan\n read it (https://x)\nand say' },
    ],
  ])('is read with the type %s and %j', (type, content, expected) => {
    expect(contentOf({ type, content, mentions: [{ ...bot, mentioned_type: 'bot' }] })).toEqual(expected);
  });

  it.each<[string, FeishuTestMessage]>([
    ['of an app', { senderType: 'app' }],
    ['that only mentions the bot', { content: { text: '@_user_1' }, mentions: [bot] }],
    ['of the platform itself', { type: 'system', content: { template: '{from_user} joined' } }],
    ["whose content isn't JSON", { content: '{' }],
    ["whose content isn't an object", { content: 'null' }],
    ['whose content has too many names', { content: `{"text":"hi",${manyNames}}` }],
    ["whose chat ID can't be a key", { chatId: 'oc 1\n' }],
    ['with an endless ID', { messageId: 'x'.repeat(1000) }],
  ])('%s is ignored', (_, message) => {
    expect(read(message)).toEqual({ kind: 'ignored' });
  });

  it('keeps the ID of the quoted message, even if it only mentions the bot', () => {
    const quoting = { parentId: 'om_quoted', content: { text: '@_user_1' }, mentions: [bot] };
    expect(read(quoting)).toMatchObject({
      message: { quotedId: 'om_quoted', content: { type: 'text', text: '' } },
    });
    expect(read({ parentId: '', content: { text: 'hi' } })).toMatchObject({ kind: 'message' });
  });

  it('shows names unchanged that contain the keys of other mentions', () => {
    const names = (at: number) => `_user_${at + 1}@_user_${at + 1}`;
    const mentions = Array.from({ length: 25 }, (_, at) => ({ key: `@_user_${at}`, name: names(at) }));
    expect(contentOf({ content: { text: 'hi @_user_24 @_user_3' }, mentions })).toEqual({
      type: 'text',
      text: `hi @${names(24)} @${names(3)}`,
    });
  });

  it('is read quickly with thousands of mentions', async () => {
    const mentions = Array.from({ length: 2000 }, (_, at) => ({ key: `@_user_${at}`, name: 'x' }));
    const text = `${'@_user_1 '.repeat(50_000)}hi`;
    const ms = await longestSlice(() => read({ content: { text }, mentions }));
    expect(ms).toBeLessThan(MOST_SLICE_MS);
  });
});

describe('button press', () => {
  const value = { approvalId: 'a1', approved: true };

  it.each([
    ['an object', value],
    ['a text', JSON.stringify(value)],
  ])('is the answer of the person who pressed it, with the value %s', (_, sent) => {
    const event = readEvent(
      feishuPressEvent('t', { value: sent, senderId: 'ou_2', chatId: 'oc_2', eventId: 'e2' }),
      AT,
    );
    expect(event).toMatchObject({
      kind: 'press',
      ids: ['e2'],
      message: { senderId: 'ou_2', chatId: 'oc_2', messageId: 'e2', content: { type: 'answer', ...value } },
    });
  });

  it.each([
    ['x'],
    [{}],
    [null],
    [{ approvalId: 'a1', approved: 'yes' }],
    [{ approvalId: 7, approved: true }],
  ])('is ignored with the value %j', (sent) => {
    expect(readEvent(feishuPressEvent('t', { value: sent }), AT)).toEqual({ kind: 'ignored' });
  });
});

it.each([
  [{}],
  [{ header: { event_type: 'im.message.receive_v1' } }],
  [{ header: { event_id: 'e', event_type: 'im.message.receive_v1' } }],
  [{ header: { event_id: 'e', event_type: 'im.message.receive_v1' }, event: { message: null } }],
  [{ header: { event_id: 'e', event_type: 'card.action.trigger' }, event: [] }],
  [{ header: { event_id: 'e', event_type: 'im.chat.member.bot.added_v1' }, event: {} }],
  [{ type: 'event_callback', uuid: 'u', event: { type: 'message', text: 'old' } }],
  [{ type: 'url_verification' }],
])('readEvent ignores %j', (payload) => {
  expect(readEvent(payload, AT)).toEqual({ kind: 'ignored' });
});
