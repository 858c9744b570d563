import { describe, expect, it } from '@jest/globals';
import { formatOf, type KnownFormat } from '../../../lib/formats/all-formats.ts';
import { documentFacts } from '../../../lib/formats/document-facts.ts';
import { extract } from '../../../lib/formats/extract.ts';
import { withoutFrontMatter } from '../../../lib/formats/front-matter.ts';
import { pdf } from '../../../lib/formats/pdf.ts';
import { type StatedFacts, statedFacts } from '../../../lib/formats/stated-facts.ts';
import { firstHeading } from '../../../lib/indexing/read/contexts.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

async function factsOf(path: string, content: string) {
  const extracted = await extract(formatOf(path) as KnownFormat, Buffer.from(content));
  const heading = firstHeading({ ...extracted, text: withoutFrontMatter(extracted.text) });
  return documentFacts(extracted, { path, heading });
}

const PAGE = `Night flights of the tawny owl
A. Moreau and T. Lindqvist, 2021
We counted the flights of forty owls in a winter with little snow, as in https://doi.org/10.1000/owl.7.`;

function factsOfPdf(facts: StatedFacts, text = PAGE, path = 'a.pdf') {
  const page = { format: pdf, source: text, text, partStarts: [0], headings: new Set<number>(), facts };
  return documentFacts(page, { path, heading: undefined });
}

describe('the facts of a PDF', () => {
  it('are its properties, as far as the first page confirms them', () => {
    const facts = statedFacts({
      ...{ title: 'Night flights of the tawny owl', authors: 'A. Moreau; T. Lindqvist; J. Elsewhere' },
      date: 'D:20210412093000Z',
    });
    expect(factsOfPdf(facts)).toEqual({
      ...{ title: 'Night flights of the tawny owl', authors: ['A. Moreau', 'T. Lindqvist'] },
      ...{ year: 2021, doi: '10.1000/owl.7' },
    });
  });

  it.each([
    ['Microsoft Word - owls_final.doc', undefined],
    ['untitled', undefined],
    ['Template of the Institute', undefined],
    ['http://example.com/owls.pdf', undefined],
    ['Acrobat Distiller of owls', undefined],
    ['Microsoft Word - Night flights of the tawny owl', 'Night flights of the tawny owl'],
  ])('have no part of the title "%s" that the page lacks', (title, shown) => {
    expect(factsOfPdf(statedFacts({ title, programs: ['Acrobat Distiller 9'] })).title).toBe(shown);
  });

  it("come from the page if the properties aren't usable", () => {
    const shownTitle = 'Night flights of the tawny owl';
    expect(factsOfPdf(statedFacts({ title: 'owls.dvi', shownTitle })).title).toBe(shownTitle);
  });

  it('have no year that only the program wrote, and have the arXiv ID of the stamp', () => {
    expect(factsOfPdf({ date: 'D:20240101' }).year).toBeUndefined();
    const stamped = factsOfPdf({}, 'arXiv:1706.03762v7 [cs.CL] 2 Aug\nAttention');
    expect(stamped).toEqual({ arxivId: '1706.03762', year: 2017 });
    expect(factsOfPdf({}, '', '1706.03762v7.pdf').arxivId).toBe('1706.03762');
  });
});

describe('the facts of a text', () => {
  it('come from the front matter of Markdown', async () => {
    const front =
      '---\ntitle: "Owls: a report"\nauthor:\n  - name: Ann Sand\n  - Bo Li\ndate: 2022-03-01\n---\n# Other';
    expect(await factsOf('a.md', front)).toEqual({
      ...{ title: 'Owls: a report', authors: ['Ann Sand', 'Bo Li'], year: 2022 },
    });
  });

  it.each([
    ['tags: [birds, night]', ['birds', 'night']],
    ['tags: birds, night', ['birds', 'night']],
    ['tags:\n  - [birds, [owls]]\n  - night', ['birds', 'owls', 'night']],
    [
      'tags:\n  birds:\n    - owls\n    - hawks: [kites]\n  night:',
      ['birds/owls', 'birds/hawks/kites', 'night'],
    ],
    ['tags: [birds]\nkeywords: [birds, night]', ['birds', 'night']],
    ['tags: [2021, true, "Lakes, rivers", null, ""]', ['2021', 'Lakes, rivers']],
    ['tags: &a [*a]', undefined],
    ['tags: {}', undefined],
  ])('have the tags of the front matter %j', async (front, tags) => {
    expect((await factsOf('a.md', `---\n${front}\n---\nText`)).tags).toEqual(tags);
  });

  it('have the year of the front matter, or that of its date', async () => {
    expect((await factsOf('a.md', '---\nyear: 2019\n---\nText')).year).toBe(2019);
    expect((await factsOf('a.md', '---\nyear: 2019\ndate: 2021-01-01\n---\nText')).year).toBe(2021);
  });

  it('come from its first heading without front matter', async () => {
    expect(await factsOf('a.md', 'Hello.\n\n# Owls at night\n\nText')).toEqual({ title: 'Owls at night' });
    expect(await factsOf('a.py', '# Owls\nclass Owl: pass')).toEqual({});
  });

  it('come from the commands of LaTeX', async () => {
    const tex = String.raw`\documentclass{article} \title[Owls]{Owls \emph{at} night\thanks{Paid}}
\author{Ann Sand\\University \and Bo Li} \date{May 2020} \begin{document}`;
    expect(await factsOf('a.tex', tex)).toEqual({
      ...{ title: 'Owls at night', authors: ['Ann Sand', 'Bo Li'], year: 2020 },
    });
  });

  it('come from the head of a page', async () => {
    const html = `<html><head><title>Owls | Journal</title><meta name="citation_title" content="Owls at &lt;b&gt;night">
<meta name="citation_author" content="Sand, Ann"><meta name="citation_doi" content="10.1000/OWL">
<meta property="article:published_time" content="2020-01-02T00:00:00Z"></head><body><h1>Hi</h1><p>Text</p></body></html>`;
    expect(await factsOf('a.html', html)).toEqual({
      ...{ title: 'Owls at <b>night', authors: ['Sand, Ann'], doi: '10.1000/owl', year: 2020 },
    });
  });
});

describe('hostile facts', () => {
  it('are short, on one line, and without characters that reorder it', () => {
    const facts = statedFacts({
      title: `a\u202egpj.exe\u0000\n${'b'.repeat(1_000_000)}`,
      authors: Array.from({ length: 10_000 }, (_, at) => `Author ${at}`),
      tags: [{ toString: () => 'x' }, 1, null],
      date: { year: 2020 },
    });
    expect(facts.title).toHaveLength(500);
    expect(facts.title).not.toMatch(/[\p{Bidi_Control}\p{Cc}]/u);
    expect(facts.authors).toHaveLength(100);
    expect(facts).toMatchObject({ tags: ['1'] });
    expect(facts.date).toBeUndefined();
  });

  it('are compared in linear time', async () => {
    const ms = await cpuTimeOf(() => {
      factsOfPdf(statedFacts({ title: 'a '.repeat(300) }), 'a '.repeat(100_000));
      factsOfPdf(statedFacts({ title: 'of the '.repeat(80) }), `${'of the '.repeat(1000)}x`);
    });
    expect(ms).toBeLessThan(2000);
  });

  it.each([
    ['a.md', `---\n${'a: &a [*a]\n'.repeat(500)}---\n# Owls`, { title: 'Owls' }],
    ['a.md', `---\ntitle: [[1], {a: 2}]\nauthor: {name: {a: 1}}\n---\n# Owls`, { title: 'Owls' }],
    ['a.tex', `${'\\title{'.repeat(20_000)}`, {}],
    [
      'a.html',
      `<meta name="citation_title" content="Owls">${'<meta name=a content=b>'.repeat(50_000)}x`,
      { title: 'Owls' },
    ],
  ])('of %s are no more than the first heading', async (path, content, facts) => {
    expect(await factsOf(path, content)).toEqual(facts);
  });
});
