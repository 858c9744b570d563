import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Secrets } from '../../lib/ports/secrets.ts';

/**
 * The contract of lib/ports/secrets.ts. `open` returns an empty store and a second client of the same store.
 * `letOthersSee` waits until a caching client sees the other's writes.
 */
export function describeSecrets(
  name: string,
  open: () => Promise<[Secrets, Secrets]>,
  letOthersSee: () => void = () => {},
): void {
  describe(`${name}: Secrets`, () => {
    let secrets: Secrets;
    let again: Secrets;
    beforeEach(async () => {
      [secrets, again] = await open();
    });

    it('stores, replaces, and removes a value', async () => {
      expect(await secrets.get('a')).toBeUndefined();
      await secrets.set('a', 'one');
      await secrets.set('b', 'other');
      await secrets.set('a', 'two');
      expect(await again.get('a')).toBe('two');
      await again.set('a', null);
      letOthersSee();
      expect(await secrets.get('a')).toBeUndefined();
      expect(await secrets.get('b')).toBe('other');
    });

    it('returns the writes of another client after its cache time', async () => {
      await secrets.set('a', 'one');
      expect(await secrets.get('a')).toBe('one');
      await again.set('a', 'two');
      expect(await secrets.get('a', { fresh: true })).toBe('two');
      expect(await secrets.get('a')).toBe('two');
    });

    it('accepts the removal of a missing secret', async () => {
      await secrets.set('none', null);
      expect(await secrets.get('none')).toBeUndefined();
    });

    it.each([['x'.repeat(10_000)], ['"\\\n\u2028ж😀'], [' ']])('stores the value %j', async (value) => {
      await secrets.set('a', value);
      expect(await again.get('a')).toBe(value);
    });

    it.each([['constructor'], ['__proto__'], ['settings/provider-a/api_key']])(
      'accepts the name %s',
      async (key) => {
        expect(await secrets.get(key)).toBeUndefined();
        await secrets.set(key, 'v');
        expect(await again.get(key)).toBe('v');
      },
    );

    it('keeps all secrets of concurrent writes', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
      await Promise.all(names.map((key, index) => (index % 2 ? secrets : again).set(key, key)));
      expect(await Promise.all(names.map((key) => secrets.get(key)))).toEqual(names);
    });
  });
}
