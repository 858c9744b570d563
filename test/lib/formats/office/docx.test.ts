import { describe, expect, it } from '@jest/globals';
import { CHART, CHART_LINES, decodeAs, packOffice } from './pack-office.ts';

const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
const paragraph = (content: string) => `<w:p>${content}</w:p>`;
const field = (code: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const reference = (kind: string, type: string, id: string) =>
  `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`;

describe('headers and footers of a DOCX', () => {
  const section = (content: string) => `<w:sectPr>${content}</w:sectPr>`;
  const bytes = (body: string, settings = '') =>
    packOffice({
      'main.xml': {
        xml: `<w:document><w:body>${paragraph(run('Body.'))}${body}</w:body></w:document>`,
        links: {
          ...{ h: ['header', 'h.xml'], first: ['header', 'first.xml'], even: ['header', 'even.xml'] },
          ...{ f: ['footer', 'f.xml'], stale: ['footer', 'stale.xml'], s: ['settings', 's.xml'] },
        },
      },
      'h.xml': { xml: `<w:hdr>${paragraph(run('Contract number 4711'))}</w:hdr>` },
      'first.xml': { xml: `<w:hdr>${paragraph(run('Title page'))}</w:hdr>` },
      'even.xml': { xml: `<w:hdr>${paragraph(run('Left page'))}</w:hdr>` },
      'stale.xml': { xml: `<w:ftr>${paragraph(run('Never shown'))}</w:ftr>` },
      's.xml': { xml: `<w:settings>${settings}</w:settings>` },
      'f.xml': {
        xml: `<w:ftr>${paragraph(`${run('Page ')}${field(' PAGE ', '3')}${run(' of ')}<w:fldSimple w:instr="NUMPAGES">${run('9')}</w:fldSimple>`)}
          ${paragraph(`${run('Confidential, ')}${field('STYLEREF x', 'part two')}${run(', page ')}${field('PAGE', '3')}`)}</w:ftr>`,
      },
    });

  it('are read once for the document, before its text, without page numbers', async () => {
    const sections = paragraph(`<w:pPr>${section(reference('header', 'default', 'h'))}</w:pPr>`);
    const last = section(reference('header', 'default', 'h') + reference('footer', 'default', 'f'));
    expect((await decodeAs('a.docx', bytes(sections + last))).text).toBe(
      'Header: Contract number 4711\n\nFooter: Confidential, part two, page\n\nBody.',
    );
  });

  it('are only the visible ones, and those of first and even pages only if they differ', async () => {
    const both = reference('header', 'first', 'first') + reference('header', 'even', 'even');
    expect((await decodeAs('a.docx', bytes(section(both)))).text).toBe('Body.');
    const shown = bytes(section(`${both}<w:titlePg/>`), '<w:evenAndOddHeaders/>');
    expect((await decodeAs('a.docx', shown)).text).toBe('Header: Title page\n\nHeader: Left page\n\nBody.');
  });
});

describe('text of a DOCX', () => {
  const decode = (content: string, links: Record<string, [string, string]>, parts: Record<string, string>) =>
    decodeAs(
      'a.docx',
      packOffice({
        'main.xml': { xml: `<w:document>${content}</w:document>`, links },
        ...Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, { xml }])),
      }),
    );

  it('ignores elements and relationships with names that every object has', async () => {
    const names = ['constructor', 'toString'].map((name) => `<w:${name}/>`).join('');
    const links: Record<string, [string, string]> = { c: ['constructor', 'c.xml'] };
    const { text, left } = await decode(paragraph(`${run('Owls')}${names}`), links, { 'c.xml': CHART });
    expect([text, left]).toEqual(['Owls', []]);
  });

  it('has charts and diagrams in their places', async () => {
    const diagram =
      '<dgm:dataModel><a:p><a:r><a:t>First </a:t></a:r><a:r><a:t>step</a:t></a:r></a:p></dgm:dataModel>';
    const content =
      paragraph(`${run('Before.')}<w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r>`) +
      paragraph(`<w:r><w:drawing><dgm:relIds r:dm="d" r:lo="x"/></w:drawing></w:r>`) +
      paragraph(run('After.'));
    const links: Record<string, [string, string]> = { c: ['chart', 'c.xml'], d: ['diagramData', 'd.xml'] };
    const { text } = await decode(content, links, { 'c.xml': CHART, 'd.xml': diagram });
    expect(text).toBe(`Before.\n\n${CHART_LINES}\nFirst step\n\nAfter.`);
  });

  it('has included documents, symbols, and formulas', async () => {
    const content =
      paragraph(
        `<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r><w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r><w:r><w:sym w:font="Arial" w:char="00DF"/></w:r>`,
      ) +
      `<w:altChunk r:id="h"/><w:altChunk r:id="x"/>` +
      paragraph('<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>');
    const links: Record<string, [string, string]> = { h: ['aFChunk', 'h.html'], x: ['aFChunk', 'x.docx'] };
    const decoded = await decode(content, links, { 'h.html': '<p>Included</p>', 'x.docx': 'noise' });
    expect(decoded.text).toBe('αß\n\nIncluded\n\na+b');
    expect(decoded.left).toEqual([{ kind: 'embedded_objects', count: 1 }]);
  });

  it('lists each of its omitted parts once', async () => {
    const links: Record<string, [string, string]> = {
      ...{ a: ['image', 'i.png'], b: ['image', 'i.png'], c: ['image', 'j.png'] },
      ...{ d: ['oleObject', 'o.bin'], e: ['vbaProject', 'v.bin'], f: ['styles', 's.xml'] },
    };
    expect((await decode(paragraph(run('x')), links, {})).left).toEqual([
      { kind: 'images', count: 2 },
      { kind: 'embedded_objects', count: 1 },
      { kind: 'macros', count: 1 },
    ]);
  });
});
