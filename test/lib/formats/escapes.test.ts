import { describe, expect, it } from '@jest/globals';
import { readingFormat } from '../../../lib/formats/all-formats.ts';
import { escapeReaders, mayEscape } from '../../../lib/formats/escapes.ts';
import { extract } from '../../../lib/formats/extract.ts';
import { joinRuns } from '../../../lib/formats/markup-text.ts';
import { chunkText } from '../../../lib/indexing/read/chunk.ts';

function readText(path: string, source: string): string {
  const format = readingFormat(path);
  return mayEscape(format, source)
    ? joinRuns(source, escapeReaders[format.name]?.(source) ?? []).text
    : source;
}

describe('escape sequence in code', () => {
  it.each([
    ['a.json', String.raw`{"a":"M\u00fc\u00DFig \u6771\u4eac \ud83d\ude00"}`, '{"a":"Müßig 東京 😀"}'],
    ['a.json', String.raw`["C:\\u0041", "\\\u00fc"]`, String.raw`["C:\\u0041", "\\ü"]`],
    ['a.jsonl', String.raw`{"a":"\u00fc"}`, '{"a":"ü"}'],
    ['a.properties', String.raw`name=J\u00fcrgen`, 'name=Jürgen'],
    ['a.yaml', String.raw`name: "J\u00fcrgen"`, 'name: "Jürgen"'],
    ['a.xml', '<a b="J&#252;rgen">&#x4e2D;&auml; &lt; &own; &</a>', '<a b="Jürgen">中ä < &own; &</a>'],
    ['a.svg', '<text>K&ouml;ln</text>', '<text>Köln</text>'],
    [
      'a.bib',
      String.raw`{M\"u{\ss}igbrodt} {\'E}mile Fran\c{c}ois Dvo\v{r}\'ak \O rsted na{\"{\i}}ve Erd{\H o}s`,
      '{Müßigbrodt} Émile François Dvořák Ørsted naïve Erdős',
    ],
    [
      'a.tex',
      String.raw`\textbf{Gar\c con} \\"u Stra\ss{}e \the\lambda \aa`,
      String.raw`\textbf{Garçon} \\"u Straße \the\lambda å`,
    ],
  ])('is searched as its character in %s: %s', (path, source, text) => {
    expect(readText(path, source)).toBe(text);
  });

  it.each([
    ['a.json', String.raw`"\u000a\u0000\ud83d"`],
    ['a.xml', '<a>&#10;&#0;&#xd83d;</a>'],
    ['a.json', String.raw`{"a":"He said \"unless\" \n"}`],
    ['a.ts', String.raw`const a = "\u00fc";`],
    ['a.md', '`&auml;`'],
  ])('is not searched as a control character or surrogate, nor in another format: %s', (path, source) => {
    expect(readText(path, source)).toBe(source);
  });

  it('is quoted as it is in the file, with its line', async () => {
    const source = `{\n${Array.from({ length: 60 }, (_, index) => String.raw`  "k${index}": "Stra\u00dfe ${index} in K\u00f6ln am Rhein",`).join('\n')}\n}`;
    const extracted = await extract(readingFormat('a.json'), Buffer.from(source));
    const chunks = chunkText(extracted);
    expect(chunks.length).toBeGreaterThan(1);
    for (const { startChar, endChar, startLine, endLine, text } of chunks) {
      const quoted = source.slice(startChar, endChar);
      expect(JSON.parse(`"${quoted.replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`)).toBe(text);
      expect(
        source
          .split('\n')
          .slice(startLine - 1, endLine)
          .join('\n'),
      ).toContain(quoted);
    }
  });

  it('is kept as it is in the file after a maximum number of sequences is decoded', () => {
    const text = readText('a.xml', '&lt;a'.repeat(300_000));
    expect(text.length).toBeLessThan(1_200_000);
    expect(text.startsWith('<a<a')).toBe(true);
    expect(text.endsWith('&lt;a&lt;a')).toBe(true);
  });
});
