import { describe, expect, it } from '@jest/globals';
import { Parser } from 'htmlparser2';
import mammoth from 'mammoth';
import yauzl from 'yauzl';
import { readingFormat } from '../../../../lib/formats/all-formats.ts';
import { extract } from '../../../../lib/formats/extract.ts';
import { openArchive } from '../../../../lib/formats/office/archive.ts';
import { toDocx } from '../../../../lib/research/result/docx.ts';
import { toHtml } from '../../../../lib/research/result/html.ts';
import { toMarkdown } from '../../../../lib/research/result/markdown.ts';
import { makeEvidence, makeHostileReport, makeReport } from '../../../support/research-reports.ts';

const LOOKED = [
  {
    questionId: 'q1',
    title: 'An old paper',
    url: 'javascript:alert(1)',
    used: false,
    reason: 'no readable text',
  },
  { questionId: 'q1', title: 'A used paper', used: true },
];

describe('toMarkdown', () => {
  it('numbers footnotes by their first use, and flags unsupported sentences', () => {
    const text = toMarkdown(makeReport({ looked: LOOKED }));
    expect(text).toContain(
      'Caches halve latency.[^1][^2] They cost memory.[^2] **⚠ (not supported by its sources: the quote names no memory)**',
    );
    expect(text).toContain(
      '[^1]: [Jane van Smith; Miller, Bob (2024): Attention to Caches](<https://doi.org/10.1000/xyz_1>). [`sources/smith.pdf`](<./sources/smith.pdf#page=3>), page 3\n\n    ```text\n    words of e2\n    ```',
    );
    expect(text).toContain('[^2]: Notes e1. [`notes/e1.md:3-5`](<./notes/e1.md#L3-L5>)');
    expect(text).toContain('## Conflicting sources\n\n- what e1 says[^2] — but — what e3 says[^3]');
    expect(text).toContain(
      '1 of 2 sentences are supported by a quote. Flagged: 1. Removed as unsupported: 1.*',
    );
    expect(text).toContain('- An old paper: no readable text');
    expect(text).toMatch(/e4\\\.md: A quote from it was found/);
    expect(text).not.toContain('A used paper');
  });

  it('names a file once, and no lines of a PDF', async () => {
    const [one = makeEvidence('e1'), two = makeEvidence('e2')] = makeReport().evidence;
    const place = {
      path: 'r/report-2020.pdf',
      page: 2,
      source: { kind: 'file' as const, title: 'report-2020.pdf' },
    };
    const report = makeReport({ evidence: [{ ...one, ...place }, two] });
    expect(toMarkdown(report)).toContain(': [`r/report-2020.pdf`](<./r/report-2020.pdf#page=2>), page 2\n');
    expect(toHtml(report)).toContain(
      '><a href="./r/report-2020.pdf#page=2"><code>r/report-2020.pdf</code></a>, page 2<',
    );
    const { value } = await mammoth.convertToHtml({ buffer: await toDocx(report) });
    expect(value).toContain('<li>r/report-2020.pdf. Page 2, note 2</li>');
    expect(value).toContain('<p>r/report-2020.pdf, page 2</p>');
  });

  it("doesn't claim that quotes support sentences that no model judged", () => {
    const counts = { sentences: 3, supported: 2, marked: 0, dropped: 0, judged: false };
    const text = toMarkdown(makeReport({ counts }));
    expect(text).toContain(
      '2 of 2 sentences have a quote. Code found no wrong number, date, or name in them. No model judged them. Without a claim: 1.*',
    );
    expect(toMarkdown(makeReport({ counts, language: 'zh' }))).toContain(
      '2 句中有 2 句有引文。程序未发现其中有错误的数字、日期或名称。没有模型评判过。',
    );
  });

  it('lists the sources before unused ones, with title, journal, location, and notes', () => {
    const [one = makeEvidence('e1'), two = makeEvidence('e2')] = makeReport().evidence;
    const known = {
      ...{ kind: 'file' as const, title: 'On caches', authors: ['Moreau, A.'], year: 2021 },
      ...{ venue: 'Cache Notes', entryType: 'article', citationKey: 'moreau2021' },
    };
    const text = toMarkdown(makeReport({ looked: LOOKED, evidence: [{ ...one, source: known }, two] }));
    expect(text).toContain('- Moreau, A. (2021): On caches. Cache Notes. notes/e1\\.md, note 2\n');
    expect(text.indexOf('## Sources')).toBeLessThan(text.indexOf('## Not used'));
  });

  it.each([toMarkdown, toHtml])('lists no cited file as unused, and no file twice: %p', (write) => {
    const of = (path: string, reason: string) => ({ questionId: 'q2', path, used: false, reason });
    const other = 'Other passages are a closer match.';
    const looked = [of('notes/e1.md', other), of('bees.md', other), of('bees.md', 'It has no quote.')];
    const [, left = ''] = write(makeReport({ looked })).split('Not used');
    expect(left).not.toContain('e1.md: ');
    expect(left.split(/bees\\?\.md/)).toHaveLength(2);
    expect(left).toContain('It has no quote.');
  });

  it.each([toMarkdown, toHtml])('lists a source whose quote no sentence cites as unused: %p', (write) => {
    const evidence = [...makeReport().evidence, makeEvidence('e9'), makeEvidence('e9')];
    const [, left = ''] = write(makeReport({ evidence })).split('Not used');
    expect(left.match(/\be9\\?\.md: A quote from it was found, but no sentence cites it\./g)).toHaveLength(1);
  });

  it('starts the location of a source with a capital, but not its path', () => {
    const [one = makeEvidence('e1'), two = makeEvidence('e2')] = makeReport().evidence;
    const named = {
      ...two,
      path: 'report-2020.pdf',
      source: { kind: 'file' as const, title: 'report-2020.pdf' },
    };
    const text = toMarkdown(makeReport({ evidence: [one, named] }));
    expect(text).toContain('- report-2020\\.pdf. Page 3, note 1\n');
    expect(text).toContain('- Notes e1. notes/e1\\.md, note 2\n');
  });

  it('adds no full stop to a title that ends in a question mark', () => {
    const [one = makeEvidence('e1'), two = makeEvidence('e2')] = makeReport().evidence;
    const asked = { ...two, path: 'a.pdf', source: { kind: 'file' as const, title: 'Do caches help?' } };
    for (const write of [toMarkdown, toHtml]) {
      const text = write(makeReport({ evidence: [one, asked] }));
      expect(text).toMatch(/Do caches help\? a\\?\.pdf/);
      expect(text).not.toContain('?. ');
    }
  });

  it('shows a question once if it is also the title', () => {
    for (const write of [toMarkdown, toHtml])
      expect(write(makeReport({ title: 'Do caches help?' })).split('Do caches help?')).toHaveLength(
        write === toMarkdown ? 2 : 3, // a page has its title in the head, too
      );
  });

  it('shows the license of a paper among the sources', () => {
    const [one = makeEvidence('e1'), two = makeEvidence('e2')] = makeReport().evidence;
    const paper = { ...two, source: { ...two.source, license: 'cc-by' } };
    expect(toMarkdown(makeReport({ evidence: [one, paper] }))).toContain(
      'Attention to Caches](<https://doi.org/10.1000/xyz_1>). License: cc-by, doi:10.1000/xyz\\_1, page 3, note 1\n',
    );
  });

  it('shows no unsupported claim as one side of a disagreement', () => {
    const [one = makeEvidence('e1'), two = makeEvidence('e2')] = makeReport().evidence;
    const against = { contradicts: ['e3', 'e5'] };
    const evidence = [
      { ...one, ...against, supports: 'partly' as const },
      two,
      makeEvidence('e3'),
      makeEvidence('e5', { supports: 'no' }),
    ];
    const text = toMarkdown(makeReport({ evidence }));
    expect(text).toContain(
      '- what e1 says[^2] **⚠ (not supported by its sources)** — but — what e3 says[^3]\n',
    );
    expect(text).not.toContain('what e5 says');
  });

  it('keeps any text from ending its element', () => {
    const text = toMarkdown(makeHostileReport());
    const prose = text.replace(/^ {4}.*$/gm, '');
    expect(prose.match(/^#+ .*/gm)?.map((line) => line.slice(0, 8))).toHaveLength(5);
    expect(prose.match(/^\[\^\d+\]:/gm)).toHaveLength(1); // both quotes have the same location
    expect(prose.replace(/\(<\S*>\)/g, '').replace(/`[^\n]*`/g, '')).not.toMatch(/(?<!\\)</);
    expect(text).not.toMatch(/\]\(<javascript/);
  });
});

describe('toHtml', () => {
  function read(html: string) {
    const tags: { name: string; attributes: Record<string, string> }[] = [];
    const parser = new Parser({ onopentag: (name, attributes) => tags.push({ name, attributes }) });
    parser.end(html);
    return tags;
  }

  it.each([
    ['plain', makeReport()],
    ['malicious', makeHostileReport()],
  ])('is one page without scripts and external resources: %s', (_kind, report) => {
    const tags = read(toHtml({ ...report, looked: LOOKED }));
    const allowed =
      'html head meta title style body main header section h1 h2 p time sup a mark strong ul ol li blockquote bdi code hr'.split(
        ' ',
      );
    expect(tags.map(({ name }) => name).filter((name) => !allowed.includes(name))).toEqual([]);
    const names = new Set(tags.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...names].filter((name) => /^on|^src|^style$/.test(name))).toEqual([]);
    const addresses = tags.flatMap(({ attributes }) => attributes.href ?? []);
    expect(addresses.filter((address) => !/^(?:https?:\/\/|\.\/|#)/.test(address))).toEqual([]);
    const ids = new Set(tags.flatMap(({ attributes }) => attributes.id ?? []));
    expect(addresses.filter((address) => /^#/.test(address) && !ids.has(address.slice(1)))).toEqual([]);
    expect(
      tags.find(({ attributes }) => /content-security/i.test(attributes['http-equiv'] ?? ''))?.attributes
        .content,
    ).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'$/);
  });

  it('contains the same content in Chinese', () => {
    const html = toHtml(makeReport({ language: 'zh-CN' }));
    expect(html).toContain('<html lang="zh-CN">');
    expect(html).toContain('来源不支持此句');
  });
});

describe('toDocx', () => {
  it.each([
    ['plain', makeReport()],
    ['malicious', makeHostileReport()],
  ])('is a readable document: %s', async (_kind, report) => {
    const bytes = await toDocx({ ...report, looked: LOOKED });
    const { text } = await extract(readingFormat('report.docx'), bytes);
    expect(text).toContain(report.question.slice(0, 12));
    expect(text).toContain('An old paper: no readable text');
  });

  it('refers to an earlier footnote by a field that Word updates', async () => {
    const archive = await openArchive(yauzl, await toDocx(makeReport()), 'DOCX');
    const body = Buffer.concat(await Array.fromAsync(archive.read('word/document.xml'))).toString();
    expect(body).toMatch(
      /<w:bookmarkStart w:name="_RefNote2"[^>]*\/><w:r>.*?<w:footnoteReference w:id="2"\/>/,
    );
    expect(body).toContain('<w:instrText xml:space="preserve"> NOTEREF _RefNote2 \\f \\h </w:instrText>');
    expect(body.match(/<w:footnoteReference /g)).toHaveLength(3);
  });

  it('also has footnotes, headings, and marks for another reader', async () => {
    const options = { styleMap: ["highlight[color='yellow'] => mark"] };
    const buffer = await toDocx(makeReport({ looked: LOOKED }));
    const { value, messages } = await mammoth.convertToHtml({ buffer }, options);
    expect(messages.filter(({ type }) => type === 'error')).toEqual([]);
    expect(value).toContain('<h1>Speed</h1>');
    expect(value).toMatch(
      /Caches halve latency\.<a id="_RefNote1"><\/a><sup><a href="#footnote-1"[^>]*>\[1\]<\/a>/,
    );
    expect(value).toContain('<mark>They cost memory.</mark><sup>2</sup>');
    const notes = [...value.matchAll(/<li id="footnote-\d+">([\s\S]*?)<\/li>/g)].map(([, note]) => note);
    expect(notes).toHaveLength(3);
    expect(notes[0]).toContain('Jane van Smith; Miller, Bob (2024): Attention to Caches');
    expect(notes[0]).toContain('<em>words of e2</em>');
  });
});
