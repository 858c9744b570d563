import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isKey, keyLabel, pressedKey } from '../../../web/parts/pressed-key.ts';

const key = { key: 'Enter', isComposing: false, keyCode: 13 };

describe('pressedKey', () => {
  it.each([
    ['Enter', key],
    ['', { ...key, isComposing: true }],
    ['', { ...key, keyCode: 229 }], // Safari, after the end of the composition
  ])('returns %j', (expected, event) => {
    expect(pressedKey(event)).toBe(expected);
    expect(pressedKey({ nativeEvent: event })).toBe(expected);
  });
});

describe('isKey', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  const pressed = (event: object) => isKey('palette', { ...key, key: 'K', ...plain, ...event });

  it('requires the modifier of a key, on each kind of keyboard', () => {
    expect([pressed({ ctrlKey: true }), pressed({ metaKey: true })]).toEqual([true, true]);
    expect([pressed({}), pressed({ ctrlKey: true, altKey: true })]).toEqual([false, false]);
    expect(pressed({ ctrlKey: true, isComposing: true })).toBe(false);
  });

  it("shows the label that is on the keyboard's keys", () => {
    expect([keyLabel('palette'), keyLabel('line'), keyLabel('close')]).toEqual([
      'Ctrl K',
      'Shift Enter',
      'Esc',
    ]);
  });
});

it('pressedKey is used for each key in the console', () => {
  const files = globSync('web/**/*.{ts,tsx}').filter((path) => !path.endsWith('pressed-key.ts'));
  const others = files.filter((path) => {
    const text = readFileSync(path, 'utf8');
    const hears = /\bKeyboardEvent\b|onKey(?:Down|Up|Press)=\{\(|'key(?:down|up|press)'/.test(text);
    const reads = /\b(?:event|nativeEvent|e)\.(?:key|code|keyCode|which|isComposing)\b/.test(text);
    return reads || (hears && /\{[^{}]*\bkey\b[^{}]*\} = event/.test(text));
  });
  expect(files.length).toBeGreaterThan(300);
  expect(others).toEqual([]);
});
