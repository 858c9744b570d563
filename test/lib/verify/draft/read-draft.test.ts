import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { readDraft } from '../../../../lib/verify/draft/read-draft.ts';
import { packWordBody } from '../../../support/word-drafts.ts';
import { goldenPath } from '../../formats/samples.ts';

async function read(name: string, source: string) {
  return readDraft(name, new TextEncoder().encode(source));
}

/** `# ` marks a heading. */
async function sentencesIn(name: string, source: string): Promise<string[]> {
  const { sentences } = await read(name, source);
  return sentences.map(({ text, isHeading }) => (isHeading ? `# ${text}` : text));
}

const MARKDOWN = `---
title: x
---
# The **Owls** {#owls}

Owls _sleep_ by day [1]. They eat \`mice\`, see
[Smith et al.](http://x.example/2020 "Of 1999"). <!-- Not
this. --> Yes.

Setext title
============

> Quoted words. And
> more words.

- one item. It has two.
- [ ] two
  continues here

1. First
2. Second.

| size | note |
|---|---|
| 3 kg | four. Five |

\`\`\`js
code();
\`\`\`

$$
x = 2
$$

    indented code

A note[^1] says so [@jones2020].

[^1]: The note text. It goes.
[ref]: http://example.com "Title"
`;

const LATEX = String.raw`\documentclass{article}
\title{On \emph{Owls}}\author{Jane Doe}
\begin{document}
\maketitle
\section[short]{Introduction to owls}
Owls sleep~\cite[p.~3]{smith2020} at $3.5\%$ rates. % A comment. Here.
They weigh 4\,kg\footnote{Measured in 2019. Twice.} on average.

\begin{itemize}
\item One thing. Another.
\item[x] Two \textbf{things}.
\end{itemize}
\begin{equation} E = mc^2 \end{equation}
\begin{figure}[ht]\includegraphics[width=3cm]{a.png}\caption{A big owl. It sits.}\label{fig:a}\end{figure}
\begin{tabular}{ll} small & 3 kg \\ large & 4 kg \end{tabular}
\begin{verbatim}
Code here. More.
\end{verbatim}
\href{http://a.example}{Link text} ends. \[ x=1 \] Then more.
\end{document}`;

const HTML = `<html><head><title>T</title></head><body><h1>Head <b>two</b></h1><p>First sentence.
  Second <a href=x>one</a> &amp; more.</p><pre>Code. More.</pre><ul><li>item one<li>item two. It has two.</ul>
  <p style="display:none">Hidden.</p></body></html>`;

describe('readDraft', () => {
  it.each([
    ['a.html', '<p>It is <del>not</del> safe in 12<sup>4</sup> forests.</p>'],
    ['a.md', 'It is <s>not</s> safe in 12<sup>4</sup> forests.'],
    ['a.tex', String.raw`It is \sout{not} safe in 12\textsuperscript{4} forests.`],
  ])('keeps raised digits apart and omits struck-out words in %s', async (name, source) => {
    const [sentence = ''] = await sentencesIn(name, source);
    expect(sentence.replace(/\s+/g, ' ')).toBe('It is safe in 12⁴ forests.');
  });

  it('reads Markdown without its formatting, code, and metadata', async () => {
    expect(await sentencesIn('draft.md', MARKDOWN)).toEqual([
      ...['# The Owls', 'Owls sleep by day [1].', 'They eat mice, see Smith et al..', 'Yes.'],
      ...['# Setext title', 'Quoted words.', 'And more words.', 'one item.', 'It has two.'],
      ...['two\n  continues here', 'First', 'Second.', '# size | note', '3 kg | four. Five'],
      ...['A note says so .', 'The note text.', 'It goes.'],
    ]);
  });

  it.each(['draft.md', 'a.txt'])(
    'reads a table row in %s as one claim with its column names',
    async (name) => {
      const table = '| | **2021** | 2022 |\n|---|--:|--:|\n| North bay | 410 | 520 [1] |\n| In short | | |\n';
      const bare = 'Site | Hen\n-----|----\nSouth \\| bay | yes\nAn end.';
      const { text, sentences, claims } = await read(name, `Owls hunt:\n${table}\n${bare}`);
      const columns = name === 'draft.md' ? '| 2021 | 2022' : '| **2021** | 2022';
      expect(sentences.map(({ start, end, ...sentence }) => sentence)).toEqual([
        { text: 'Owls hunt:' },
        { text: columns, isHeading: true },
        { text: 'North bay | 410 | 520 [1]', isRow: true, columns },
        { text: 'In short | |', isRow: true, columns },
        { text: 'Site | Hen', isHeading: true },
        {
          text: name === 'draft.md' ? 'South | bay | yes' : 'South \\| bay | yes',
          isRow: true,
          columns: 'Site | Hen',
        },
        { text: 'An end.' },
      ]);
      expect(claims.map((at) => sentences[at]?.text)).toEqual([
        ...['North bay | 410 | 520 [1]', sentences[5]?.text, 'An end.'],
      ]);
      const row = sentences[2];
      expect(text.slice(row?.start, row?.end)).toBe('North bay | 410 | 520 [1]');
    },
  );

  it('omits struck-out Markdown', async () => {
    const source = 'Owls do ~~not~~ sleep by day. ~~Hawks do, too.~~\n\n~~Birds are blue.~~\n';
    expect(await sentencesIn('a.md', source)).toEqual(['Owls do sleep by day.']);
  });

  it('reads a pasted text as Markdown if it has Markdown headings or tables', async () => {
    const source = '# Owls\n\nOwls **hunt** at night.\n';
    expect(await sentencesIn('draft.txt', source)).toEqual(['# Owls', 'Owls hunt at night.']);
    expect(await sentencesIn('a.txt', source)).toContain('Owls **hunt** at night.');
    const table = 'Owls *hunt* it.\n\n| size | note |\n|---|---|\n| 3 cm | It is small. |\n';
    expect(await sentencesIn('draft.txt', table)).toContain('Owls hunt it.');
    expect(await sentencesIn('draft.txt', 'Owls *hunt* it.')).toEqual(['Owls *hunt* it.']);
  });

  it('reads LaTeX without commands, comments, formulas, and code', async () => {
    expect(await sentencesIn('draft.tex', LATEX)).toEqual([
      ...['# On Owls', '# Jane Doe', '# Introduction to owls', 'Owls sleep at 3.5% rates.'],
      ...['They weigh 4 kg on average.', 'Measured in 2019.', 'Twice.', 'One thing.', 'Another.'],
      ...['Two things.', 'A big owl.', 'It sits.', 'small | 3 kg', 'large | 4 kg', 'Link text ends.'],
      'Then more.',
    ]);
  });

  it('reads the visible text of HTML, with collapsed whitespace', async () => {
    const draft = await read('draft.html', HTML);
    expect(draft.text).toBe(
      'Head two\n\nFirst sentence. Second one & more.\n\nitem one\n\nitem two. It has two.',
    );
    expect(draft.sentences.map(({ text }) => text)).toEqual([
      ...['Head two', 'First sentence.', 'Second one & more.', 'item one', 'item two.', 'It has two.'],
    ]);
    expect(draft.sentences[0]?.isHeading).toBe(true);
  });

  it('splits plain text into paragraphs and list items', async () => {
    const text =
      'Title line\n==========\n\nOne wrapped\nsentence. Two.\n\n- item\n2) item 2\n\nZeppelins are purple';
    expect(await sentencesIn('', text)).toEqual([
      ...['# Title line', 'One wrapped\nsentence.', 'Two.', 'item', 'item 2', 'Zeppelins are purple'],
    ]);
    expect((await read('notes.txt', text)).text).toBe(text);
  });

  it('reads DOCX tables, lists, notes, and text boxes in reading order, without deleted text', async () => {
    const draft = await readDraft('apes.docx', await readFile(goldenPath('apes.docx')));
    expect(draft.sentences.map(({ text }) => text)).toEqual([
      ...[
        'Field notes',
        'Methods',
        'We counted from the tower.',
        'Counted by hand.',
        'Ergebnisse der Zählung',
      ],
      ...['Apes climb high in the evening.', 'bananas', 'figs', 'first line\nsecond line\tafter a tab'],
      ...['ape | height', 'Koko | 12 m | tall', 'inner | table', 'Said in a box.', 'Around the box.'],
    ]);
    expect(draft.sentences.filter(({ isHeading }) => isHeading).map(({ text }) => text)).toEqual([
      ...['Field notes', 'Methods', 'Ergebnisse der Zählung', 'ape | height'],
    ]);
  });

  it('returns the location of each sentence in the text', async () => {
    const drafts = [
      await read('a.md', MARKDOWN),
      await read('a.tex', LATEX),
      await read('a.html', HTML),
      await readDraft('apes.docx', await readFile(goldenPath('apes.docx'))),
    ];
    for (const { text, sentences } of drafts) {
      for (const [index, { start, end, text: own }] of sentences.entries()) {
        expect(text.slice(start, end)).toMatch(/^\S[\s\S]*\S$|^\S$/);
        const [first = '', last = ''] = [own.slice(0, 1), own.replace(/[^\p{L}\p{N}]+$/u, '').slice(-1)];
        expect(text.slice(start, start + 12)).toContain(first);
        expect(text.slice(start, end)).toContain(last);
        expect(start).toBeGreaterThanOrEqual(sentences[index - 1]?.start ?? 0);
      }
    }
  });

  it('splits text that is too long for a sentence, and finds the claims of a long draft in time', async () => {
    const words = await read('words.txt', 'Owls hunt mice '.repeat(1000).trim());
    expect(words.sentences.length).toBeGreaterThan(2);
    for (const { text } of words.sentences) expect(text).toMatch(/^(?:Owls|hunt|mice)[\s\S]{0,2000}$/);
    expect(words.sentences.map(({ text }) => text).join(' ')).toBe(words.text);
    const { sentences, claims } = await read(
      'a.txt',
      Array(100)
        .fill(`${'-1'.repeat(2490)}?`)
        .join('\n\n'),
    );
    expect(claims).toHaveLength(sentences.length);
  });

  it('reads unclosed formulas in linear time', async () => {
    expect(await sentencesIn('a.tex', `Owls hunt. ${'\\['.repeat(60_000)}`)).toEqual(['Owls hunt.']);
  });

  it("refuses a DOCX file that can't be commented", async () => {
    const body = Buffer.from('<w:document xmlns:w="w"><w:body><w:p/>\xff</w:body></w:document>', 'latin1');
    const bytes = await packWordBody('', { 'word/document.xml': body });
    await expect(readDraft('a.docx', bytes)).rejects.toMatchObject({ code: 'file_damaged' });
  });

  it.each([
    ['draft.pdf', 'x', 'file_format_unsupported'],
    ['draft.txt', 'a\0b', 'file_format_unsupported'],
    ['draft.docx', 'no zip', 'file_damaged'],
    ['draft.docx', '', 'file_damaged'],
    ['draft.md', 'Owls. '.repeat(900_000), 'file_too_large_to_read'],
  ])('refuses %s', async (name, source, code) => {
    await expect(read(name, source)).rejects.toMatchObject({ code });
  });
});
