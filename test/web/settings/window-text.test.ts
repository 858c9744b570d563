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
])('readTokens reads %j as %s tokens', (text, tokens) => {
  expect(readTokens(text)).toBe(tokens);
  expect(isWindow(text)).toBe(true);
});

it.each(['300', '16,38', '-1', '1e5', '16m', '1000000k', 'large'])('isWindow rejects %s', (text) => {
  expect(isWindow(text)).toBe(false);
});

it('isWindow accepts an empty text', () => {
  expect(isWindow('  ')).toBe(true);
});
