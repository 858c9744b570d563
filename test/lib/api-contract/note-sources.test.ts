import { describe, expect, it } from '@jest/globals';
import { asCode } from '../../../lib/api-contract/inline-code.ts';
import { readNote, writeNote } from '../../../lib/api-contract/note-sources.ts';
import { placeInMarkdown, quoteBlock } from '../../../lib/passages/footnote.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

const LISTED = `# Owls

They hunt at night [1], by ear [12].

## Sources

- [1] \`a/owls.md\`, line 3
  > Owls hunt
  > at night.
- [12] ${asCode('odd`name, lines 1.pdf')}, page 4, lines 7-9 (no longer found there)
- [2] \`table.xlsx\`, sheet Budget, rows 2-9, lines 2-9`;

describe('readNote', () => {
  it("reads the list of sources in the service's format", () => {
    const { text, citations } = readNote(LISTED);
    expect(text).toBe('# Owls\n\nThey hunt at night [1], by ear [12].');
    expect(citations).toEqual([
      {
        index: 1,
        path: 'a/owls.md',
        startLine: 3,
        endLine: 3,
        quote: 'Owls hunt\nat night.',
      },
      {
        index: 2,
        path: 'table.xlsx',
        startLine: 2,
        endLine: 9,
        place: { kind: 'sheet', at: 'Budget' },
        quote: '',
      },
      {
        index: 12,
        path: 'odd`name, lines 1.pdf',
        startLine: 7,
        endLine: 9,
        place: { kind: 'page', at: '4' },
        quote: '',
        support: 'none',
        isMissing: true,
      },
    ]);
  });

  it('reads the footnotes of a report', () => {
    const quote = 'They hunt\n```\nby ear.';
    const at = { path: 'papers/a `b`.pdf', startLine: 3, endLine: 5, page: 2 };
    const place = placeInMarkdown(at, undefined, { withLines: true });
    const report = `# Report\n\nBy ear.[^1] Or not.[^2]\n\n[^1]: [Owls](<https://a.example>). ${place}\n\n${quoteBlock(quote)}\n\n[^2]: \`b.md:7\` (未在该处找到)\n\n${quoteBlock('gone')}\n`;
    const { text, citations } = readNote(report);
    expect(text.trim()).toBe('# Report\n\nBy ear.[1] Or not.[2]');
    expect(citations).toMatchObject([
      { index: 1, path: 'papers/a `b`.pdf', startLine: 3, endLine: 5, place: { kind: 'page', at: '2' } },
      { index: 2, path: 'b.md', startLine: 7, endLine: 7, quote: 'gone', support: 'none', isMissing: true },
    ]);
    expect(citations[0]?.quote).toBe('They hunt\nby ear.');
  });

  it.each([
    ['a list that a person continued', `${LISTED}\n\nAnd more.`],
    ['another list of sources', 'x\n\n## Sources\n\n- a book'],
    ['a footnote without a file', 'x[^1]\n\n[^1]: Said by my aunt.'],
    ['a number without a source', 'see [1] and [^4]'],
  ])('keeps %s unchanged', (_what, text) => {
    expect(readNote(text)).toEqual({ text, citations: [] });
  });

  it('is fast for text that resembles endless sources', async () => {
    const read = () => {
      readNote(`x\n\n## Sources\n\n${`- [1] ${'`a, '.repeat(1_200)}\n`.repeat(80)}`);
      readNote(`[^1]: ${'`a:1 ('.repeat(800)}\n`.repeat(80));
    };
    expect(await cpuTimeOf(read)).toBeLessThan(2_000);
  });
});

describe('writeNote', () => {
  const citation = { startLine: 3, endLine: 5, quote: 'Owls hunt\nat `night`.' };

  it('writes the format that readNote reads', () => {
    const note = {
      text: 'They hunt [1][2], `by` ear [3].',
      citations: [
        { index: 1, path: 'a/`owls`.md', ...citation },
        { index: 2, path: 'b.pdf', ...citation, place: { kind: 'page' as const, at: '4' }, endLine: 3 },
        { index: 3, path: 'c.md', ...citation, quote: '', isMissing: true, support: 'none' as const },
        ...(['full', 'contradicted', 'none', 'unjudged'] as const).map((support, at) => ({
          ...{ index: 4 + at, path: 'd.md', ...citation, support },
        })),
      ],
    };
    expect(readNote(writeNote(note))).toEqual(note);
    expect(writeNote({ text: 'Nothing cited.\n', citations: [] })).toBe('Nothing cited.');
  });

  it('uses the words of the console, and omits lines in a file with pages', () => {
    const copied = 'By ear [1].\n\n## Sources\n\n- [1] `a.pdf`, Page 3, Lines 2–4\n  > Ears.';
    const paged = 'By ear [1].\n\n## Sources\n\n- [1] `a.pdf`, page 3\n  > Ears.';
    const place = { kind: 'page', at: '3' };
    expect(readNote(copied).citations).toMatchObject([{ startLine: 2, endLine: 4, place, quote: 'Ears.' }]);
    expect(readNote(paged).citations).toMatchObject([{ startLine: 1, endLine: 1, place, quote: 'Ears.' }]);
    expect(readNote('x\n\n## Sources\n\n- [1] `a.md`').citations).toEqual([]);
  });
});
