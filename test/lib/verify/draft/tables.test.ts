import { describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { commentDocx } from '../../../../lib/formats/office/comment-docx.ts';
import { readLatexDraft } from '../../../../lib/verify/draft/latex-draft.ts';
import { readDraft } from '../../../../lib/verify/draft/read-draft.ts';
import { readWordDraft } from '../../../../lib/verify/draft/word-draft.ts';
import { readEntries, readRanges, withoutAnchors } from '../../../support/docx-comments.ts';
import { startCheckRig } from '../../../support/draft-checks.ts';
import { packWordBody } from '../../../support/word-drafts.ts';

async function read(name: string, source: string | Promise<Uint8Array>) {
  const draft = await readDraft(name, typeof source === 'string' ? Buffer.from(source) : await source);
  const { sentences, claims } = draft;
  const said = sentences.map(({ text, columns = '' }) => (columns === '' ? text : `${text} <${columns}>`));
  return { ...draft, said, claimed: claims.map((at) => said[at] ?? '') };
}

function paragraph(text: string): string {
  return text === '' ? '<w:p/>' : `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

const HEADER = '<w:trPr><w:tblHeader/></w:trPr>';
const STARTS = '<w:vMerge w:val="restart"/>';
const CONTINUES = '<w:vMerge/>';
const WIDE = '<w:gridSpan w:val="2"/>';

/** `text` or `[text, properties]` per cell. */
function row(cells: (string | [text: string, properties: string])[], properties = ''): string {
  const xml = cells.map((cell) => {
    const [text, own] = typeof cell === 'string' ? [cell, ''] : cell;
    return `<w:tc><w:tcPr>${own}</w:tcPr>${paragraph(text)}</w:tc>`;
  });
  return `<w:tr>${properties}${xml.join('')}</w:tr>`;
}

function word(...rows: string[]): Promise<Uint8Array> {
  return packWordBody(`${paragraph('Before it.')}<w:tbl>${rows.join('')}</w:tbl>${paragraph('After it.')}`);
}

const MERGED = [
  'Site | Cranes | Cranes',
  'Site | Cranes 2021 | Cranes 2022',
  'North bay | 410 | 520 <Site | Cranes 2021 | Cranes 2022>',
  'North bay | 411 <Site | Cranes 2021 | Cranes 2022>',
  '| 12 | 13 <Site | Cranes 2021 | Cranes 2022>',
];

const MERGED_DOCX = [
  row(
    [
      ['Site', STARTS],
      ['Cranes', WIDE],
    ],
    HEADER,
  ),
  row([['', CONTINUES], '2021', '2022'], HEADER),
  row([['North bay', STARTS], '410', '520']),
  row([['', CONTINUES], '411', '']),
  row(['', '12', '13']),
  row(['', '', '']),
];
const MERGED_HTML = `<table><caption>Before it.</caption>
  <thead><tr><td rowspan=2>Site<td colspan=2>Cranes<tr><td>2021<td>2022</thead>
  <tr><td rowspan=2>North <b>bay</b><td>410<td>520<tr><td>411<td><tr><td><td>12<td>13<tr><td><td><td>
  </table>After it.`;
const MERGED_LATEX = String.raw`Before it. \begin{tabular}{@{}lrr@{}} \toprule
  \multirow{2}{*}{Site} & \multicolumn{2}{c}{Cranes} \\ \cmidrule(lr){2-3} & 2021 & 2022 \\ \midrule
  \multirow{2}{*}{North \emph{bay}} & 410 & 520~\cite{owls2020} \\[2pt]

  & 411 & \\ \cline{2-3}
  & 12 & 13 \\ & & \\ \bottomrule \end{tabular} After it.`;

describe('readDraft of tables', () => {
  it.each([
    ['draft.docx', word(...MERGED_DOCX)],
    ['draft.html', MERGED_HTML],
    ['draft.tex', MERGED_LATEX],
  ])('reads a row in %s as one claim, with its column names and merged cells', async (name, source) => {
    const { said, claimed } = await read(name, source);
    expect(said).toEqual(['Before it.', ...MERGED, 'After it.']);
    expect(claimed).toEqual(['Before it.', ...MERGED.slice(2), 'After it.']);
  });

  it('reads a Chinese table whose first row has no header markup', async () => {
    const cells = [
      ['物种', '数量', '年份'],
      ['丹顶鹤', '520只', '2021'],
      ['猫头鹰', '47只', '2022'],
    ];
    const html = cells.map((each) => `<tr>${each.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
    const latex = cells.map((each) => each.join(' & ')).join(' \\\\ ');
    for (const [name, source] of [
      ['a.docx', packWordBody(`<w:tbl>${cells.map((each) => row(each)).join('')}</w:tbl>`)],
      ['a.html', `<table>${html}</table>`],
      ['a.tex', `\\begin{tabular}{lll}${latex}\\end{tabular}`],
    ] as const)
      expect((await read(name, source)).claimed).toEqual([
        '丹顶鹤 | 520只 | 2021 <物种 | 数量 | 年份>',
        '猫头鹰 | 47只 | 2022 <物种 | 数量 | 年份>',
      ]);
  });

  it('takes a bold first row of a DOCX file for the header, unless it contains a value', async () => {
    const bold = (xml: string) => xml.replaceAll('<w:r>', '<w:r><w:rPr><w:b/></w:rPr>');
    const table = (...rows: string[]) => packWordBody(`<w:tbl>${rows.join('')}</w:tbl>`);
    const claimed = async (...rows: string[]) => (await read('a.docx', table(...rows))).claimed;
    const fact = row(['Koko', 'ape']);
    expect(await claimed(bold(row(['Name', 'Kind'])), fact)).toEqual(['Koko | ape <Name | Kind>']);
    expect(await claimed(bold(row(['Hens', '47'])), fact)).toEqual(['Hens | 47', 'Koko | ape']);
    expect(await claimed(bold(row(['Name', 'Kind'])), bold(fact))).toEqual(['Name | Kind', 'Koko | ape']);
    expect(await claimed(bold(row(['Name', ''])).replace('<w:p/>', paragraph('Zoe')), fact)).toEqual([
      ...['Name | Zoe', 'Koko | ape'],
    ]);
  });

  it.each([
    [['Germany', 'about 90 million'], ['France', '67 million'], false],
    [['Country', 'Year', 'died ９ times'], ['France', '2020', '3'], false],
    [['物种', '约占47%', '年份'], ['丹顶鹤', '52', '2020'], false],
    [['Born', '1971'], ['Died', '2018'], false],
    [['Founded', '1999', 'in Rome'], ['Closed', '2010', 'in Paris'], false],
    [['Country', '2020', '2021'], ['France', '410', '520'], true],
    [['Country', '1850'], ['France', '410'], false],
    [['Method', 'Top-1', 'F1'], ['Ours', '80.1', '79'], true],
    [['Gas', 'CO2', 'Area (km²)'], ['North', '80.1', '79'], true],
  ])('takes %j above %j for column names if the row can be nothing else', async (first, fact, isHeader) => {
    const [above, below] = [first.join(' | '), fact.join(' | ')];
    const rows = isHeader ? [`${below} <${above}>`] : [above, below];
    const bold = row(first).replaceAll('<w:r>', '<w:r><w:rPr><w:b/></w:rPr>');
    const docx = packWordBody(`<w:tbl>${bold}${row(fact)}</w:tbl>`);
    expect((await read('a.docx', docx)).claimed).toEqual(rows);
    const escaped = [first, fact].map((cells) => cells.join(' & ').replaceAll('%', '\\%'));
    const latex = String.raw`\begin{tabular}{lll} ${escaped[0]} \\ \midrule ${escaped[1]} \\ \end{tabular}`;
    expect((await read('a.tex', latex)).claimed).toEqual(rows);
    const html = [first, fact].map((cells) => `<tr><td>${cells.join('<td>')}`).join('');
    if (!isHeader) expect((await read('a.html', `<table>${html}</table>`)).claimed).toEqual(rows);
  });

  it('checks a first row that may state a fact', async () => {
    const html = '<table><tr><td>Name<td>Koko<tr><td>Age<td>40</table>';
    expect((await read('a.html', html)).claimed).toEqual(['Name | Koko', 'Age | 40']);
    const facts = row(['Koko', 'ape', '40 years'], '<w:trPr><w:tblHeader w:val="0"/></w:trPr>');
    const docx = packWordBody(`<w:tbl>${facts}${row(['Zoe', 'owl', '3 years'])}</w:tbl>`);
    expect((await read('a.docx', docx)).claimed).toEqual(['Koko | ape | 40 years', 'Zoe | owl | 3 years']);
    const grid = String.raw`\begin{tabular}{l|l} \hline Owls & 47 \\ \hline Apes & 12 \\ \hline \end{tabular}`;
    expect((await read('a.tex', grid)).claimed).toEqual(['Owls | 47', 'Apes | 12']);
    const total = String.raw`\begin{tabular}{ll} Owls & 47 \\ Apes & 12 \\ \midrule Both & 59 \end{tabular}`;
    expect((await read('a.tex', total)).claimed).toEqual(['Owls | 47', 'Apes | 12', 'Both | 59']);
    const all = '<table><tr><th>Owls<th>47<tr><th>Apes<th>12</table>';
    expect((await read('a.html', all)).claimed).toEqual(['Apes | 12 <Owls | 47>']);
  });

  it('reads layout tables (a single cell or long text) sentence by sentence', async () => {
    const inner = `<w:tbl>${row(['Koko', '40 years'])}</w:tbl>`;
    const outer = `<w:tr><w:tc>${paragraph('It is here. It ends.')}${inner}<w:p/></w:tc><w:tc><w:p/></w:tc></w:tr>`;
    const long = 'Owls hunt at night. '.repeat(30);
    const { said } = await read('a.docx', word(row(['Alone. Twice.', '']), outer, row([long, long])));
    expect(said.slice(0, 6)).toEqual([
      ...['Before it.', 'Alone.', 'Twice.', 'It is here.', 'It ends.', 'Koko | 40 years'],
    ]);
    expect(said).toHaveLength(67);
    const html = '<table><tr><td>It is here. It ends.<table><tr><td>Koko<td>40 years</table></table>';
    expect((await read('a.html', html)).said).toEqual(said.slice(3, 6));
  });

  it('reads the rows of a nested table after the row that contains it', async () => {
    const inner = `<w:tbl>${row(['hens', '12'])}${row(['cocks', '35'])}</w:tbl>`;
    const cells = `<w:tc>${paragraph('Owls')}</w:tc><w:tc>${inner}${paragraph('47 birds')}</w:tc>`;
    const rows = ['Owls | 47 birds', 'hens | 12', 'cocks | 35'];
    expect((await read('a.docx', packWordBody(`<w:tbl><w:tr>${cells}</w:tr></w:tbl>`))).claimed).toEqual(
      rows,
    );
    const html =
      '<table><tr><td>Owls<td><table><tr><td>hens<td>12<tr><td>cocks<td>35</table>47 birds</table>';
    expect((await read('a.html', html)).claimed).toEqual(rows);
    const latex = String.raw`\begin{tabular}{ll} Owls & \begin{tabular}{l} 47 \\ birds \end{tabular} \\ \end{tabular}`;
    expect((await read('a.tex', latex)).claimed).toEqual(rows.slice(0, 1));
  });

  it.each([
    [
      'draft.docx',
      packWordBody(
        `<w:tbl>${row(['Site', 'Births'], HEADER)}<w:tr><w:tc>${paragraph('North')}<w:tbl>${row(['Year', 'Deaths'], HEADER)}${row(['2020', '9'])}</w:tbl><w:p/></w:tc><w:tc>${paragraph('47')}</w:tc></w:tr>${row(['South', '48'])}</w:tbl>`,
      ),
    ],
    [
      'draft.html',
      '<table><tr><th>Site<th>Births<tr><td>North<table><tr><th>Year<th>Deaths<tr><td>2020<td>9</table><td>47<tr><td>South<td>48</table>',
    ],
  ])('names the columns of a row of %s by its own table, after a table in a cell', async (name, source) => {
    expect((await read(name, source)).claimed).toEqual([
      ...['North | 47 <Site | Births>', '2020 | 9 <Year | Deaths>', 'South | 48 <Site | Births>'],
    ]);
  });

  it.each([
    ['draft.docx', word(row(['Paris', 'France', ['900 million', '<w:gridSpan w:val="-1"/>']]))],
    ['draft.html', 'Before it.<table><tr><td>Paris<td>France<td colspan=-1>900 million</table>After it.'],
    ['draft.html', 'Before it.<table><tr><td>Paris<td colspan=-0.5>France<td>900 million</table>After it.'],
    [
      'draft.tex',
      String.raw`Before it. \begin{tabular}{lll} Paris & France & \multicolumn{-1}{l}{900 million} \\ \end{tabular} After it.`,
    ],
  ])('reads a cell of %s that spans less than one column', async (name, source) => {
    const { claimed } = await read(name, source);
    expect(claimed).toEqual(['Before it.', 'Paris | France | 900 million', 'After it.']);
  });

  it('reads the text of a DOCX cell that is marked as continued but continues no cell', async () => {
    const first = row(['Paris', ['2 million', CONTINUES]]);
    const { claimed } = await read('a.docx', packWordBody(`<w:tbl>${first}</w:tbl>`));
    expect(claimed).toEqual(['Paris | 2 million']);
    const below = row(['Rome', ['900 million', CONTINUES]]);
    const table = (...rows: string[]) => packWordBody(`<w:tbl>${rows.join('')}</w:tbl>`);
    expect((await read('a.docx', table(row(['Paris', '2 million']), below))).claimed).toEqual([
      ...['Paris | 2 million', 'Rome | 900 million'],
    ]);
    const above = [row(['Paris', ['2 million', STARTS]]), row([['Oslo is', WIDE]]), row(['Oslo'])];
    expect((await read('a.docx', table(...above, below))).claimed.at(-1)).toBe('Rome | 900 million');
  });

  it('names the columns of a row that starts after the first column, or is below a cell that spans rows', async () => {
    const gap = row(['47', '12'], '<w:trPr><w:gridBefore w:val="1"/><w:gridAfter w:val="0"/></w:trPr>');
    const docx = packWordBody(`<w:tbl>${row(['Site', 'Births', 'Deaths'], HEADER)}${gap}</w:tbl>`);
    expect((await read('a.docx', docx)).claimed).toEqual(['| 47 | 12 <Site | Births | Deaths>']);
    const html =
      '<table><tr><th>Site<th>Births<th>Deaths<tr><td>North<td>1<td rowspan=2>2<tr><td>South<tr><td>East<td>47<td>12</table>';
    expect((await read('a.html', html)).claimed).toEqual([
      'North | 1 | 2 <Site | Births | Deaths>',
      'South |  | 2 <Site | Births | Deaths>',
      'East | 47 | 12 <Site | Births | Deaths>',
    ]);
  });

  it.each([
    ['makecell', String.raw`\makecell{2019 \\ Rome}`],
    ['shortstack', String.raw`\shortstack[l]{2019 \tabularnewline Rome}`],
    ['parbox', String.raw`\parbox{3cm}{\textbf{2019} \\[2pt] Rome}`],
    ['minipage', String.raw`{\begin{minipage}{2cm} 2019 \\ Rome \end{minipage}}`],
    [
      'minipage with a table',
      String.raw`\begin{minipage}{2cm} 2019 \begin{tabular}{l} \\ Rome & \end{tabular} \end{minipage}`,
    ],
    ['merged', String.raw`\multicolumn{1}{l}{\multirow{2}{*}{2019 \\ Rome}}`],
    ['superscript', String.raw`2019\textsuperscript{1} \makecell{Rome \\ }`, '2019¹ Rome'],
  ])('does not end a LaTeX row inside a cell: %s', async (_, cell, shown = '2019 Rome') => {
    const { said } = await read(
      'a.tex',
      String.raw`\begin{tabular}{ll} Ape & Died \\ \hline Koko & ${cell} \\ Zoe & 2020 \\ \end{tabular}`,
    );
    expect(said).toEqual(['Ape | Died', `Koko | ${shown} <Ape | Died>`, 'Zoe | 2020 <Ape | Died>']);
  });

  it('reads a LaTeX cell that spans several rows and is nested in one that spans columns', async () => {
    const { claimed } = await read(
      'a.tex',
      String.raw`\begin{tabular}{lll} Koko & 1971 & \multicolumn{1}{l}{\multirow{2}{*}{ape}} \\ Washoe & 1965 & \\ \end{tabular}`,
    );
    expect(claimed).toEqual(['Koko | 1971 | ape', 'Washoe | 1965 | ape']);
  });

  it('reads a LaTeX table of 200,000 rows', async () => {
    const { blocks } = readLatexDraft(`\\begin{tabular}{l}${'a\\\\\\hline '.repeat(200_000)}\\end{tabular}`);
    expect(blocks).toHaveLength(200_000);
  });

  it('reads the footer of a LaTeX table as its rows', async () => {
    const table = (rows: string) => read('a.tex', `\\begin{longtable}{ll} ${rows} \\end{longtable}`);
    const { claimed } =
      await table(String.raw`Site & Deaths \\ \endhead \multicolumn{2}{r}{Continued on next page} \\ \endfoot
      Total deaths & 47 \\ \endlastfoot North & 12 \\ South & 35 \\`);
    expect(claimed).toEqual([
      ...['Total deaths | 47 <Site | Deaths>', 'North | 12 <Site | Deaths>', 'South | 35 <Site | Deaths>'],
    ]);
    const facts = await table(String.raw`Koko & 2018 \\ Washoe & 2007 \\ \endfoot Gua & 1933 \\`);
    expect(facts.claimed).toEqual(['Koko | 2018', 'Washoe | 2007', 'Gua | 1933']);
    const heads = await table(
      String.raw`\hline Total & 9 owls \\ \endfoot Name & Died \\ \endfirsthead Deaths & continued \\ Koko & 2018 \\ Name & Died \\ \endhead Gua & 1933 \\`,
    );
    expect(heads.said).toEqual([
      ...['Name | Died', 'Total | 9 owls <Name | Died>', 'Deaths | continued <Name | Died>'],
      ...['Koko | 2018 <Name | Died>', 'Gua | 1933 <Name | Died>'],
    ]);
  });

  it('reads a row as one claim even if its source text is long', async () => {
    const cite = `\\cite{${'owls,'.repeat(1000)}}`;
    const { said } = await read(
      'a.tex',
      `\\begin{tabular}{ll} Ape & Died \\\\ \\hline Koko${cite} & 2018 \\\\ Zoe & 2020 \\\\ \\end{tabular}`,
    );
    expect(said).toEqual(['Ape | Died', 'Koko | 2018 <Ape | Died>', 'Zoe | 2020 <Ape | Died>']);
  });

  it('reads repeated headers and footers of a LaTeX table once, and omits its rules', async () => {
    const { said } = await read(
      'a.tex',
      String.raw`\begin{longtable}{ll} \caption{Owls of 2020.} \\ Site & Hens \\ \endfirsthead \hline {Site} & Hens \\ \endhead
        \multicolumn{2}{r}{Continued below} \\ \endfoot North\footnote{By hand.} \& East & 4\% \tabularnewline \hhline{--} \end{longtable} It ends.`,
    );
    expect(said).toEqual([
      ...['Owls of 2020.', 'Site | Hens', 'Continued below', 'North & East | 4% <Site | Hens>'],
      ...['By hand.', 'It ends.'],
    ]);
  });

  it('puts a comment around all cells of a row, and its notes after the row', async () => {
    const note = paragraph('Owls').replace('</w:p>', '<w:r><w:footnoteReference w:id="2"/></w:r></w:p>');
    const body = `<w:tbl><w:tr><w:tc>${note}</w:tc><w:tc><w:p/></w:tc><w:tc>${paragraph('47 ')}${paragraph('hens')}</w:tc></w:tr></w:tbl>`;
    const bytes = await packWordBody(body, {
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://a.example/footnotes" Target="footnotes.xml"/></Relationships>`,
      'word/footnotes.xml': `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:id="2">${paragraph('In 2020.')}</w:footnote></w:footnotes>`,
    });
    const { sentences, said } = await read('a.docx', Promise.resolve(bytes));
    expect(said).toEqual(['Owls |  | 47 hens', 'In 2020.']);
    const comments = sentences.slice(0, 1).map(({ start, end }) => ({ start, end, text: 'Not found' }));
    const entries = await readEntries(
      await commentDocx(yauzl, bytes, await readWordDraft(yauzl, bytes), { comments, at: new Date(0) }),
    );
    const source = String(entries.get('word/document.xml'));
    expect([...readRanges(source).values()].map(({ text, parents }) => [text, parents])).toEqual([
      ['Owls47 hens', { start: 'p', end: 'p', reference: 'p' }],
    ]);
    expect(withoutAnchors(source, [0])).toContain(body);
    expect(String(entries.get('word/comments.xml'))).not.toContain('“');
  });

  it.each([
    [
      'draft.docx',
      packWordBody(
        `<w:tbl>${row(['Site', '2021', '2022'], HEADER)}${row(['North bay', '410', '520'])}${row(['South bay', '300', '999'])}</w:tbl>`,
      ),
    ],
    [
      'draft.html',
      '<table><tr><th>Site<th>2021<th>2022<tr><td>North bay<td>410<td>520<tr><td>South bay<td>300<td>999</table>',
    ],
    [
      'draft.tex',
      String.raw`\begin{tabular}{lrr} Site & 2021 & 2022 \\ \midrule North bay & 410 & 520 \\ South bay & 300 & 999 \\ \end{tabular}`,
    ],
  ])('gives a row of %s the same verdict as in Markdown', async (filename, source) => {
    const table =
      '| Site | 2021 | 2022 |\n|---|---|---|\n| North bay | 410 | 520 |\n| South bay | 300 | 720 |\n';
    const rig = await startCheckRig({ 'a.md': `# Cranes\n\n${table}` });
    const url = `data:;base64,${Buffer.from(await source).toString('base64')}`;
    expect((await rig.check({ attachment: { url, filename } })).sentences).toMatchObject([
      { text: 'Site | 2021 | 2022', verdict: 'no_claim' },
      { text: 'North bay | 410 | 520', verdict: 'partial' },
      {
        verdict: 'partial',
        reason: 'Not in the source: 999. The source has “720” where the sentence has “999”.',
      },
    ]);
  });

  it('reads 1,000 rows and malicious spans', async () => {
    const rows = [row([['North', STARTS], '410', '520']), row([['', CONTINUES], '411', '9'])].join('');
    expect((await read('a.docx', word(rows.repeat(500)))).claimed).toHaveLength(1002);
    const html = '<tr><td>North<td>410<td>520'.repeat(1000);
    expect((await read('a.html', `<table>${html}</table>`)).claimed).toHaveLength(1000);
    const latex = 'North & 410 & 520 \\\\ '.repeat(1000);
    expect((await read('a.tex', `\\begin{tabular}{lll}${latex}\\end{tabular}`)).claimed).toHaveLength(1000);
    const tall = `<td rowspan=99999 colspan=9>${'x'.repeat(900)}`.repeat(10);
    await read('a.html', `<table><tr>${tall}${'<tr><td>a'.repeat(7000)}</table>`);
    await read('a.html', `<table><tr>${'<td colspan=1e9 rowspan=-1>a'.repeat(7000)}</table>`);
    await read('a.tex', '\\begin{tabular}{l} a & '.repeat(20_000));
    await read(
      'a.tex',
      `\\begin{tabular}{l}${'2020&'.repeat(50_000)}\\\\ \\hline ${'\\multirow{-9999}{*}{}&7\\\\'.repeat(10_000)}`,
    );
    await read('a.tex', '\\begin{tabular}{l}{\\begin{minipage} \\\\ \\endfoot '.repeat(10_000));
  });
});
