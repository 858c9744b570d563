import { describe, expect, it } from '@jest/globals';
import { code } from '../../../lib/formats/code.ts';
import { markdown } from '../../../lib/formats/markdown.ts';
import { withoutBraces } from '../../../lib/formats/trailing-braces.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

describe('withoutBraces', () => {
  it.each([
    ['Owls {#owls}', 'Owls'],
    ['Owls{}', 'Owls'],
    ['class Owl  {}', 'class Owl'],
    ['{a}', ''],
    ['a {b} {c}', 'a {b}'],
    ['a {b}}', 'a {b}}'],
    ['a {b} c', 'a {b} c'],
    ['}', '}'],
    ['', ''],
  ])('changes %j to %j', (text, rest) => {
    expect(withoutBraces(text)).toBe(rest);
  });
});

describe('trailing spaces take linear time in', () => {
  const blanks = ' '.repeat(100_000);

  it.each([
    ['a Markdown heading', () => markdown.structure?.heading?.(`# a${blanks}b`, '')],
    ['closing marks of a heading', () => markdown.structure?.heading?.(`# a${'#'.repeat(100_000)}b`, '')],
    ['a definition in code', () => code.structure?.heading?.(`class A${blanks}b`, '')],
  ])('%s', async (_what, read) => {
    expect(await cpuTimeOf(read)).toBeLessThan(1000);
  });
});
