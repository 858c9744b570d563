import { expect, it } from '@jest/globals';
import { readTarget } from '../../../web/settings/connection-target.ts';

const OWN = 'http://127.0.0.1:11434/v1';
const stored = { provider: 'a' as const, hasKey: true, baseUrl: null };

it('readTarget keeps a stored key for its server, and sends no key to another server', () => {
  expect(readTarget(stored, { key: '', url: '' })).toMatchObject({
    fields: { baseUrl: null },
    canTest: true,
  });
  const moved = readTarget(stored, { key: '', url: OWN });
  expect(moved).toMatchObject({ fields: { apiKey: null, baseUrl: OWN }, keepsKey: false, canTest: true });
  expect(readTarget(stored, { key: 'k', url: OWN }).fields).toEqual({ apiKey: 'k', baseUrl: OWN });
});

it('readTarget rejects a key with a space or non-ASCII characters', () => {
  const isWrong = (key: string) => readTarget(stored, { key, url: '' }).isWrongKey;
  expect([isWrong('sk-a b'), isWrong('密钥'), isWrong('sk-a'), isWrong('')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(readTarget(stored, { key: 'sk-a b', url: OWN }).canTest).toBe(false);
});

it("readTarget requires a key for the provider's own server", () => {
  const there = { ...stored, baseUrl: OWN };
  expect(readTarget(there, { key: '', url: '' }).canTest).toBe(false);
  expect(readTarget(there, { key: '', url: OWN }).fields).toEqual({ baseUrl: OWN });
});
