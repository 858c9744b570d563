import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KnownFormat } from '../../../../lib/formats/all-formats.ts';
import { code } from '../../../../lib/formats/code.ts';
import { decodeText } from '../../../../lib/formats/decode.ts';
import { extract } from '../../../../lib/formats/extract.ts';
import { lineAt, lineStarts } from '../../../../lib/formats/lines.ts';
import { markdown } from '../../../../lib/formats/markdown.ts';
import { restructuredText } from '../../../../lib/formats/restructured-text.ts';
import { rows } from '../../../../lib/formats/rows.ts';
import { text as plainText } from '../../../../lib/formats/text.ts';
import { chunkText } from '../../../../lib/indexing/read/chunk.ts';

const FORMATS = [markdown, code, plainText, rows];

async function chunksOf(format: KnownFormat, text: string) {
  return chunkText(await extract(format, Buffer.from(text)));
}

/** Lines of prose. */
function filler(lines: number, indent = ''): string {
  return Array.from(
    { length: lines },
    (_, index) => `${indent}Sentence number ${index} goes on for a while.`,
  ).join('\n');
}

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom('\n', '\n\n', '\r\n', '# H\n', 'T\n===\n', 'def f():\n', '/** d */\n', '@x\n', '. ', '。'),
  fc.constantFrom('😀'.repeat(400), 'x'.repeat(1700), '   ', '\f', '\ufeff', '{"a":1}\n', 'a,b,"c\nd"\n'),
);

describe('passages of rows', () => {
  it.each([
    ['whose last line ends with a line break', '\n'],
    ["whose last line doesn't", ''],
  ])('state the number of lines in a file %s', async (_, end) => {
    const lines = ['id,name', ...Array.from({ length: 949 }, (_, index) => `${index},row of a larger table`)];
    const chunks = await chunksOf(rows, lines.join('\n') + end);
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.map(({ part }) => part)).toEqual(chunks.map(() => ({ of: 950 })));
    expect(chunks.at(-1)?.endLine).toBe(950);
  });

  it("omit the number of lines in a file whose lines aren't rows", async () => {
    expect((await chunksOf(plainText, 'one\ntwo\n')).map(({ part }) => part)).toEqual([{}]);
  });
});

describe('passages of a text', () => {
  it('contain everything except white space, in order, each exactly as in the source', async () => {
    const property = fc.asyncProperty(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      fc.constantFrom(...FORMATS),
      async (source, format) => {
        fc.pre(source.isWellFormed() && decodeText(Buffer.from(source)) !== undefined);
        const starts = lineStarts(source);
        let end = 0;
        for (const chunk of await chunksOf(format, source)) {
          expect(source.slice(end, chunk.startChar).trim()).toBe('');
          expect(source.slice(chunk.startChar, chunk.endChar)).toBe(chunk.text);
          expect(chunk.text.isWellFormed() && chunk.text.length > 0 && chunk.text.length <= 2250).toBe(true);
          expect([chunk.startLine, chunk.endLine]).toEqual([
            lineAt(starts, chunk.startChar),
            lineAt(starts, chunk.endChar - 1),
          ]);
          end = chunk.endChar;
        }
        expect(source.slice(end).trim()).toBe('');
      },
    );
    await fc.assert(property, { numRuns: 400 });
  });

  it.each([
    ['a Markdown heading', markdown, '## Chapter two', '## Chapter two'],
    ['an underlined title', markdown, 'My Heading\n==========', 'My Heading\n=========='],
    ['a title between two lines', markdown, '=====\nTitle\n=====', '=====\nTitle\n====='],
    ['a title underlined with tildes', restructuredText, 'My Heading\n~~~~~~~~~~', 'My Heading\n~~~~~~~~~~'],
    ['a title between two rows of marks', restructuredText, '^^^^^\nTitle\n^^^^^', '^^^^^\nTitle\n^^^^^'],
    ['a directive', restructuredText, '.. note:: Owls', '.. note:: Owls'],
    ['a function', code, 'export function foo() {', 'export function foo() {'],
    [
      'a comment and its function',
      code,
      '/**\n * Doc\n */\nexport function foo() {',
      '/**\n * Doc\n */\nexport function foo',
    ],
    ['a decorator and its function', code, '@app.route("/x")\ndef foo():', '@app.route("/x")\ndef foo():'],
    [
      'an attribute and its struct',
      code,
      '#[derive(Debug)]\npub struct Foo {',
      '#[derive(Debug)]\npub struct Foo {',
    ],
  ] as const)('start with %s', async (_what, format, subject, beginning) => {
    const indent = format === code ? '  ' : '';
    const chunks = await chunksOf(format, `${filler(20, indent)}\n\n${subject}\n${filler(20, indent)}\n`);
    expect(chunks.some(({ text }) => text.startsWith(beginning))).toBe(true);
  });

  it('are not split into a full and a tiny passage, up to the end or to a heading', async () => {
    const whole = 'A sentence of an abstract. '.repeat(75);
    expect(await chunksOf(plainText, whole)).toHaveLength(1);
    expect(await chunksOf(plainText, whole.repeat(2))).toHaveLength(3);
    const sections = await chunksOf(markdown, `# One\n\n${whole}\n\n# Two\n\n${whole}\n`);
    expect(sections.map(({ text }) => text.slice(0, 5))).toEqual(['# One', '# Two']);
    const short = 'A sentence of an abstract. '.repeat(35);
    expect(await chunksOf(markdown, `# One\n\n${short}\n\n# Two\n\n${short}\n`)).toHaveLength(2);
  });

  it('are limited in size for a line of any length', async () => {
    const chunks = await chunksOf(plainText, 'x'.repeat(1_000_000));
    expect(chunks.every(({ text, startLine }) => text.length <= 2250 && startLine === 1)).toBe(true);
    expect(chunks.map(({ text }) => text).join('')).toHaveLength(1_000_000);
  });
});
