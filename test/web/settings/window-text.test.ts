import { expect, it } from '@jest/globals';
import { isWindow, readTokens } from '../../../web/settings/window-text.ts';

it.each([
  ['16384', '16384'],
  [' 16,384 ', '16384'],
  ['16.384', '16384'],
  ['16 384', '16384'],
  ["1'048'576", '1048576'],
  ['16k', '16000'],
  ['128 K', '128000'],
])('windowText reads %j as %s tokens', (text, tokens) => {
  expect(readTokens(text)).toBe(tokens);
  expect(isWindow(text)).toBe(true);
});

it.each(['300', '16,38', '-1', '1e5', '16m', '1000000k', 'large'])('windowText rejects %s', (text) => {
  expect(isWindow(text)).toBe(false);
});

it('windowText may be empty', () => {
  expect(isWindow('  ')).toBe(true);
});
