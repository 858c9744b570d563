import { describe, expect, it } from '@jest/globals';
import { stripSequences } from '../../../lib/api-contract/terminal-sequences.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

const ESC = '\x1b';
const TERMINATORS = [
  ['BEL', '\x07'],
  ['ST', `${ESC}\\`],
  ['C1 ST', '\x9c'],
] as const;

describe('stripSequences', () => {
  it.each(TERMINATORS)('keeps the text of a link that %s ends (OSC 8)', (_name, end) => {
    const link = `see ${ESC}]8;id=1;https://a.example/x${end}the page${ESC}]8;;${end}.`;
    expect(stripSequences(link)).toBe('see the page.');
  });

  it.each(TERMINATORS)('removes a title that %s ends (OSC 0), and nothing after it', (_name, end) => {
    expect(stripSequences(`a${ESC}]0;my title${end}b${ESC}]2;other${end}c`)).toBe('abc');
  });

  it.each([
    ['colors', `${ESC}[1;31mred${ESC}[0m`, 'red'],
    ['colors of larger palettes', `${ESC}[38;2;1;2;3mred${ESC}[38:5:9mder${ESC}[m`, 'redder'],
    ['private modes and cursor moves', `${ESC}[?25la${ESC}[2K${ESC}[1;1Hb`, 'ab'],
    ['8-bit sequences', 'a\x9b31mb', 'ab'],
    ['device control strings', `a${ESC}Pq#0${ESC}\\b`, 'ab'],
    ['other escapes', `a${ESC}(B${ESC}7b`, 'ab'],
  ])('removes %s', (_what, text, left) => {
    expect(stripSequences(text)).toBe(left);
  });

  it('keeps the text after an unterminated sequence', () => {
    expect(stripSequences(`a${ESC}]0;title b`)).toBe('a0;title b');
  });

  it.each([`${ESC}]`, `${ESC}]8;;http://x`, `${ESC}[`, '\x9b', `${ESC}P`])(
    'is linear in unterminated sequences: %j',
    async (start) => {
      expect(await cpuTimeOf(() => stripSequences(start.repeat(300_000)))).toBeLessThan(2_000);
    },
  );
});
