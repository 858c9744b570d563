import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Tokens } from 'marked';
import { endBlocks, type Grown, growBlocks, readBlocks } from '../../../web/parts/markdown/read-blocks.ts';

const TEXTS = [
  'One\n\nTwo **bold\n\nmore** text\n===\n\nafter',
  '- a\n- b\n\n  in b\n\n- c\n1. d\n\n   e\n\nend',
  '- a\n- b\n\n- c\n- d\n* e\n* f\n\n  g\n* h',
  '1. a\n2. [x] b\n   - c\n   - d\n\n     e\n3. [ ] f\n\n4) g\n5) h\n-\n-- i',
  '- a\n- - -\n- b\n-\n  c\n- - d\n  - e\n\n  - f\n-g\n- h\n# H\n- i\n\n\n- j\n---\n- k\nlazy\n- l\n==',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n| no\n\n> quote\nlazy\n\n> more',
  '```js\nlet a = 1;\n\n\n```\n\nText\n\n    code\n\n    more\n',
  '<div>\n<b>x</b>\n\n</div>\n\n---\n# H\nText\n\n***\n',
  'So $a_1$ is\n$$\n- a\n=\nb\n$$\nand\n\n\\[\nx\n+ y\n\\]\n\ncosts $5 and $10.',
  '\n\n  Begins late\n\n\n\nand goes on  \nbreak',
];

function grow(text: string, step: number): Grown {
  let grown: Grown | undefined;
  for (let end = step; end < text.length + step; end += step) grown = growBlocks(grown, text.slice(0, end));
  return grown as Grown;
}

const firstItem = ({ blocks }: Grown) => (blocks?.[0] as Tokens.List | undefined)?.items[0];

describe('growBlocks', () => {
  it.each(TEXTS.flatMap((text) => [1, 3, 7].map((step) => [text, step] as const)))(
    'has the same result as the whole text: %j by %i',
    (text, step) => {
      expect([...(grow(text, step).blocks ?? [])]).toEqual([...(readBlocks(text) ?? [])]);
    },
  );

  it.each([5, 64])('has the same result for a page of documentation, by %i', (step) => {
    const text = readFileSync(
      resolve(import.meta.dirname, '../../../docs/guides/chat-and-citations.md'),
      'utf8',
    );
    expect([...(grow(text, step).blocks ?? [])]).toEqual([...(readBlocks(text) ?? [])]);
  });

  it('keeps settled blocks unchanged, and parses a different text again', () => {
    const before = growBlocks(undefined, 'One\n\nTwo');
    const list = growBlocks(undefined, '- a\n- b');
    const after = growBlocks(before, 'One\n\nTwo more\n\nThree');
    expect(after.blocks?.[0]).toBe(before.blocks?.[0]);
    expect(firstItem(growBlocks(list, '- a\n- b c'))).toBe(firstItem(list));
    expect(growBlocks(after, 'Another').blocks?.map(({ raw }) => raw)).toEqual(['Another']);
  });

  it('resolves a link definition at the end', () => {
    const text = 'See [owls][1].\n\nMore.\n\n[1]: https://away.example/\n';
    const whole = endBlocks(grow(text, 4), text);
    expect([...(whole.blocks ?? [])]).toEqual([...(readBlocks(text) ?? [])]);
    const plain = grow('One\n\nTwo', 4);
    expect(endBlocks(plain, 'One\n\nTwo').blocks?.[0]).toBe(plain.blocks?.[0]);
  });

  it('shows deeply nested text as source, at any position', () => {
    const before = growBlocks(undefined, 'One\n\n');
    expect(growBlocks(before, `One\n\n${'> '.repeat(100)}deep`).blocks).toBeUndefined();
  });
});

describe('readBlocks', () => {
  it('shows a part full of exclamation marks as source, because the lexer looks for a URL after each mark', () => {
    const text = `${'!'.repeat(1001)} www.example.com`;
    expect([...(readBlocks(text) ?? [])]).toMatchObject([{ tokens: [{ type: 'text', text }] }]);
  });

  const LINES = 1_000;
  it.each([
    ['- a\n', 'b\n'],
    ['- a\n', '  b\n\n'],
    ['1. a\r', 'b\r'],
    ['> - a\n', '> b\n'],
    ['> - a\n', 'b\n'],
    ['-\n', '|a|b|\n'],
  ])('shows an item %j that continues for very many lines %j as source', (begin, line) => {
    expect(readBlocks(begin + line.repeat(LINES))).toBeDefined();
    expect(readBlocks(begin + line.repeat(LINES + 1))).toBeUndefined();
    expect(readBlocks(`${begin}\nEnd.\n\n${line.trim()}\n${'b\n'.repeat(LINES)}`)).toBeDefined();
  });

  it('reads many long items, and the lines of code after a list', () => {
    const item = `- a\n${'  b\n'.repeat(LINES)}`;
    const [list] = readBlocks(item.repeat(30)) ?? [];
    expect(list).toMatchObject({ type: 'list', items: { length: 30 } });
    const types = readBlocks(`- a\n\n\`\`\`\n${'b\n'.repeat(LINES * 3)}\`\`\`\n`)?.map(({ type }) => type);
    expect(types).toEqual(['list', 'space', 'code']);
  });

  it.each([
    ['paragraphs', 'a\n\n', 3],
    ['quotes', '> a\n\n', 4],
    ['items', '- a\n', 3],
    ['words', '*a* *b*\n\n', 7],
    ['cells', '|a|b|\n|-|-|\n|*c*|d|\n\n', 7],
  ])("shows %s beyond a page's limit as source", (_what, unit, tokens) => {
    const few = Math.floor(20_000 / tokens);
    expect(readBlocks(unit.repeat(few))).toBeDefined();
    expect(readBlocks(unit.repeat(few * 4))).toBeUndefined();
  });

  it('shows a table with more cells than the argument limit as source', () => {
    const rows = ['|a', '|-', '|b'].map((cell) => `${cell.repeat(66_000)}|`);
    expect(readBlocks(rows.join('\n'))).toBeUndefined();
  });

  it('recognizes a heading by the line below it, anywhere in a long text', () => {
    const blocks = readBlocks(`One\ntwo\n---\n\n${'words '.repeat(1_000)}\n\nThree\n===\n`);
    expect(blocks?.map(({ type }) => type)).toEqual(['heading', 'space', 'paragraph', 'space', 'heading']);
  });
});
