import { describe, expect, it } from '@jest/globals';
import { readOutput } from '../../../web/parts/ansi.ts';

const ESC = '\u001b';
const shown = (text: string) => readOutput(text).spans.map(({ text: each, look }) => [each, look]);

describe('readOutput', () => {
  it('renders colors and styles until they end', () => {
    expect(shown(`a${ESC}[1;31mb${ESC}[22mc${ESC}[0md${ESC}[92me${ESC}[39mf`)).toEqual([
      ['a', {}],
      ['b', { isBold: true, color: 'danger' }],
      ['c', { color: 'danger' }],
      ['d', {}],
      ['e', { color: 'good' }],
      ['f', {}],
    ]);
  });

  it("ignores 256 colors, true color, and background colors, which aren't in the palette", () => {
    expect(shown(`${ESC}[38;5;200mx${ESC}[48;2;1;2;3;4my${ESC}[41mz`)).toEqual([
      ['x', {}],
      ['y', { isUnderlined: true }],
      ['z', { isUnderlined: true }],
    ]);
  });

  it.each([
    ['a title', `${ESC}]0;owned\u0007a`, 'a'],
    ['a link', `${ESC}]8;;https://away.example${ESC}\\a${ESC}]8;;${ESC}\\`, 'a'],
    ['an unterminated one', `a${ESC}]52;c;c2VjcmV0`, 'a'],
    ['the cursor', `a${ESC}[2J${ESC}[1;1H${ESC}[?25lb`, 'ab'],
    ['a device control', `${ESC}P1$r0m${ESC}\\a`, 'a'],
    ['bells and backspaces', 'a\u0007\u0008\u0000b', 'ab'],
    ['a progress bar', '10%\r50%\rdone\nnext\r\n', 'done\nnext\n'],
  ])('executes no sequence: %s', (_, text, rest) => {
    expect(
      readOutput(text)
        .spans.map((span) => span.text)
        .join(''),
    ).toBe(rest);
  });
});
