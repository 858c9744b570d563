import { expect, it } from '@jest/globals';
import { optionsOf, preselect } from '../../../web/settings/preselect.ts';

const chat = { id: 'qwen3:8b', name: 'Qwen 3', kind: 'chat' as const };
const embedder = { id: 'nomic-embed-text', name: 'Nomic', kind: 'embedding' as const };
const NONE = { model: '', embedding: '' };

it('preselect chooses a model for semantic search only if allowed', () => {
  expect(preselect([chat, embedder], NONE, false)).toEqual({ model: chat.id, embedding: '' });
  expect(preselect([chat, embedder], NONE, true)).toEqual({ model: chat.id, embedding: embedder.id });
});

it("preselect starts with the models in use, even if they aren't listed", () => {
  const inUse = { model: 'llama3', embedding: '' };
  expect(preselect([chat, embedder], inUse, false)).toEqual(inUse);
  expect(optionsOf([chat, embedder], 'chat', 'llama3')).toEqual([
    ['llama3', 'llama3'],
    [chat.id, chat.name],
  ]);
});

it('preselect chooses no model if there are several', () => {
  expect(preselect([chat, { ...chat, id: 'other' }], NONE, false)).toEqual(NONE);
});
