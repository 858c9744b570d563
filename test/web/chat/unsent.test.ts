import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STREAM_BROKEN } from '../../../web/api/api-error.ts';
import { ApiError } from '../../../web/api/client.ts';
import { closeNewChat, isNewChat, newChatId } from '../../../web/chat/new-chat.ts';
import { keepUnsent, unsentQuestion } from '../../../web/chat/unsent.ts';
import { keepDraft } from '../../../web/parts/kept-draft.ts';

const asked = { id: 'q', role: 'user' as const, parts: [{ type: 'text' as const, text: 'How many owls?' }] };
const answer = { id: 'a', role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'Two.' }] };
const unreached = new ApiError(0, 'unreached', {});

describe('unsent question', () => {
  const stored = new Map<string, string>();
  const before = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');
  beforeEach(() => {
    stored.clear();
    const sessionStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => void stored.set(key, text),
      removeItem: (key: string) => void stored.delete(key),
    };
    Object.defineProperty(globalThis, 'sessionStorage', { value: sessionStorage, configurable: true });
  });
  afterEach(() => {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'sessionStorage');
    else Object.defineProperty(globalThis, 'sessionStorage', before);
  });

  it('is the last question if the service was unreachable', () => {
    expect(unsentQuestion({ messages: [asked], error: unreached })).toBe('How many owls?');
    expect(unsentQuestion({ messages: [asked], error: undefined })).toBeUndefined();
    expect(unsentQuestion({ messages: [asked], error: new ApiError(500, 'no', {}) })).toBeUndefined();
    const broken = new ApiError(0, '', { code: STREAM_BROKEN });
    expect(unsentQuestion({ messages: [asked], error: broken })).toBeUndefined();
    expect(unsentQuestion({ messages: [asked, answer], error: unreached })).toBeUndefined();
  });

  it('is restored once in the text box when the person returns, before newer text', () => {
    const conversationId = newChatId('w');
    closeNewChat('w', conversationId);
    keepDraft(conversationId, 'And where?');
    const place = { workspaceId: 'w', conversationId, isNew: true };
    keepUnsent(place, 'How many owls?');
    keepUnsent(place, 'How many owls?');
    expect(stored.get(`draft:${conversationId}`)).toBe('How many owls?\n\nAnd where?');
    expect(isNewChat('w', conversationId)).toBe(true);
    expect(newChatId('w')).toBe(conversationId);
  });

  it('leaves a newer chat empty', () => {
    const other = newChatId('w');
    keepUnsent({ workspaceId: 'w', conversationId: 'first', isNew: true }, 'How many owls?');
    expect(newChatId('w')).toBe(other);
    expect(stored.get('draft:first')).toBe('How many owls?');
  });
});
