import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Secrets } from '../../lib/ports/secrets.ts';

/**
 * The promises of lib/ports/secrets.ts. `open` gives an empty store, and a second client of the same one. `letOthersSee` passes
 * the time after which a client that caches sees what the other wrote.
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

    it('keeps a value, replaces it and removes it', async () => {
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

    it('answers afresh with what another client wrote, where it may keep what it read', async () => {
      await secrets.set('a', 'one');
      expect(await secrets.get('a')).toBe('one');
      await again.set('a', 'two');
      expect(await secrets.get('a', { fresh: true })).toBe('two');
      expect(await secrets.get('a')).toBe('two');
    });

    it('stands the removal of what is not there', async () => {
      await secrets.set('none', null);
      expect(await secrets.get('none')).toBeUndefined();
    });

    it.each([['x'.repeat(10_000)], ['"\\\n\u2028ж😀'], [' ']])('keeps the value %j', async (value) => {
      await secrets.set('a', value);
      expect(await again.get('a')).toBe(value);
    });

    it.each([['constructor'], ['__proto__'], ['settings/provider-a/api_key']])(
      'takes the name %s',
      async (key) => {
        expect(await secrets.get(key)).toBeUndefined();
        await secrets.set(key, 'v');
        expect(await again.get(key)).toBe('v');
      },
    );

    it('loses none of many set at once', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
      await Promise.all(names.map((key, index) => (index % 2 ? secrets : again).set(key, key)));
      expect(await Promise.all(names.map((key) => secrets.get(key)))).toEqual(names);
    });
  });
}
