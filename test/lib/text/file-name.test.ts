import { expect, it } from '@jest/globals';
import { toFileName } from '../../../lib/text/file-name.ts';

it.each([
  ['When do owls hunt?', 'When do owls hunt'],
  ['a/b\\c:d*e?"f"<g>|h', 'a b c d e f g h'],
  ['owls\u202Efdp.exe', 'owlsfdp.exe'],
  ['\u2066a\u2067b\u2068c\u2069 \u200Ed\u200F\u061Ce\u202A\u202B\u202C\u202D', 'abc de'],
  ['one\ntwo\u2028three\u0000four', 'one two three four'],
  ['half \ud800 a character', 'half \ufffd a character'],
  ['نتیجه\u200cها', 'نتیجه\u200cها'],
  ['👩\u200d🔬', '👩\u200d🔬'],
  [' / ', ''],
])('toFileName turns %j into %j', (text, name) => {
  expect(toFileName(text, 60)).toBe(name);
});

it("toFileName limits the length, and doesn't end in a partial character or a space", () => {
  expect(toFileName(`${'a'.repeat(59)}😀`, 60)).toBe('a'.repeat(59));
  expect(toFileName(`${'a'.repeat(59)} b`, 60)).toBe('a'.repeat(59));
});
