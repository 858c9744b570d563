import { describe, expect, it } from '@jest/globals';
import { partOf } from '../../../../lib/formats/part-of.ts';
import { CHART, CHART_LINES, decodeAs, type OfficePart, packOffice } from './pack-office.ts';

const STYLES = (codes: string[]) =>
  `<styleSheet><numFmts>${codes.map((code, index) => `<numFmt numFmtId="${170 + index}" formatCode="${code}"/>`).join('')}</numFmts>
  <cellXfs><xf numFmtId="0"/>${codes.map((_, index) => `<xf numFmtId="${170 + index}"/>`).join('')}<xf numFmtId="9"/><xf numFmtId="14"/></cellXfs></styleSheet>`;

function workbook(
  sheet: OfficePart,
  { codes = [], ...parts }: Record<string, OfficePart> & { codes?: string[] } = {},
) {
  return packOffice({
    'main.xml': {
      xml: '<workbook><sheets><sheet name="S1" r:id="s"/></sheets></workbook>',
      links: { s: ['worksheet', 's.xml'], st: ['styles', 'st.xml'] },
    },
    's.xml': sheet,
    'st.xml': { xml: STYLES(codes as string[]) },
    ...(parts as Record<string, OfficePart>),
  } as Record<string, OfficePart>);
}

const cell = (reference: string, style: number, value: string) =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;

describe('number in an XLSX', () => {
  it.each([
    ['0.0%', '0.125', '0.125 (12.5%)'],
    ['00000', '42', '42 (00042)'],
    ['#,##0.00 [$€-407]', '1234.5', '1234.5 (1.234,50 €)'],
    ['#,##0.00', '1234.5', '1234.5 (1,234.50)'],
    ['0.00', '0.333333333333333', '0.333333333333333 (0.33)'],
    ['000-00-0000', '123456789', '123456789 (123-45-6789)'],
    ['d. mmmm yyyy', '45000', '2023-03-15 (15. March 2023)'],
    ['yyyy-mm-dd', '45000', '2023-03-15'],
    ['yyyy-mm-dd hh:mm:ss', '45000.5', '2023-03-15 12:00'],
    ['General', '0.1', '0.1'],
    ['0&quot;', '5', '5'],
    [';;;', '5', '5'],
  ])('has its value in the format of %s', async (code, value, text) => {
    const bytes = workbook({ xml: `<worksheet><row>${cell('A1', 1, value)}</row></worksheet>` }, {
      codes: [code],
    } as never);
    expect((await decodeAs('a.xlsx', bytes)).text).toBe(`S1\n${text}`);
  });

  it('has the format of a built-in code, unless it differs per country', async () => {
    const bytes = workbook({
      xml: `<worksheet><row>${cell('A1', 1, '0.5')}${cell('B1', 2, '45000')}</row></worksheet>`,
    });
    expect((await decodeAs('a.xlsx', bytes)).text).toBe('S1\n0.5 (50%) | 2023-03-15');
  });

  it("doesn't turn the row above into a header", async () => {
    const texts = '<c t="inlineStr"><is><t>ape</t></is></c><c t="inlineStr"><is><t>seen</t></is></c>';
    const xml = `<worksheet><row r="1">${cell('A1', 1, '0.5')}${cell('B1', 1, '1')}</row><row r="2">${texts}</row></worksheet>`;
    expect((await decodeAs('a.xlsx', workbook({ xml }))).contexts).toEqual([
      { at: 0, text: 'S1: ape | seen' },
    ]);
  });
});

describe('sheet of an XLSX', () => {
  const row = (number: number, content: string) => `<row r="${number}">${content}</row>`;

  it('has comments in the rows of their cells, and threads instead of their copies', async () => {
    const comment = (at: string, text: string) =>
      `<comment ref="${at}"><text><r><t>${text}</t></r></text></comment>`;
    const bytes = workbook(
      {
        xml: `<worksheet>${row(1, cell('A1', 0, '1'))}${row(3, cell('A3', 0, '3'))}</worksheet>`,
        links: { c: ['comments', 'c.xml'], t: ['threadedComment', 't.xml'] },
      },
      {
        'c.xml': {
          xml: `<comments>${comment('A1', 'Too low')}${comment('B2', 'Empty here')}${comment('A3', 'A copy')}</comments>`,
        },
        't.xml': {
          xml: '<ThreadedComments><threadedComment ref="A3"><text>Sure?</text></threadedComment><threadedComment ref="A3"><text>Yes</text></threadedComment></ThreadedComments>',
        },
      },
    );
    const decoded = await decodeAs('a.xlsx', bytes);
    expect(decoded.text).toBe('S1\n1 [Comment: Too low]\n | [Comment: Empty here]\n3 [Comment: Sure?; Yes]');
    expect(decoded.sheets?.[0]?.rowNumbers).toEqual([1, 2, 3]);
  });

  it('has text boxes, charts, and diagrams in their rows', async () => {
    const anchor = (at: number, content: string) =>
      `<xdr:twoCellAnchor><xdr:from><xdr:row>${at}</xdr:row></xdr:from><xdr:to><xdr:row>99</xdr:row></xdr:to>${content}</xdr:twoCellAnchor>`;
    const box =
      '<xdr:sp><xdr:txBody><a:p><a:r><a:t>Boxed </a:t></a:r><a:r><a:t>text</a:t></a:r></a:p></xdr:txBody></xdr:sp>';
    const bytes = workbook(
      {
        xml: `<worksheet>${row(1, cell('A1', 0, '1'))}${row(9, cell('A9', 0, '9'))}</worksheet>`,
        links: { d: ['drawing', 'd.xml'] },
      },
      {
        'd.xml': {
          xml: `<xdr:wsDr>${anchor(4, '<c:chart r:id="c"/>')}${anchor(0, box)}</xdr:wsDr>`,
          links: { c: ['chart', 'c.xml'], i: ['image', 'i.png'] },
        },
        'c.xml': { xml: CHART },
      },
    );
    const decoded = await decodeAs('a.xlsx', bytes);
    expect(decoded.text).toBe(`S1\n1\nBoxed text\n${CHART_LINES}\n9`);
    expect(decoded.left).toEqual([{ kind: 'images', count: 1 }]);
    const start = decoded.text.indexOf('Osmium');
    expect(partOf(decoded, 'sheet', { start, end: start + 6 })).toEqual({ sheet: 'S1', rows: [5, 5], of: 9 });
  });

  it.each([
    [
      'omits cells of its own sheets from charts',
      'S!A2:A3',
      'Chart: Revenue by metal\nTons per year\n| Share | Tons',
    ],
    ['has cells of other workbooks in charts', '[1]S!A2:A3', CHART_LINES],
  ])('%s', async (_, range, lines) => {
    const chart = CHART.replaceAll(/<c:(?:str|num)Ref>(?=<c:...Cache)/g, `$&<c:f>${range}</c:f>`);
    const bytes = workbook(
      {
        xml: `<worksheet>${row(1, cell('A1', 0, '1'))}</worksheet>`,
        links: { d: ['drawing', 'd.xml'] },
      },
      {
        'd.xml': { xml: '<xdr:wsDr><c:chart r:id="c"/></xdr:wsDr>', links: { c: ['chart', 'c.xml'] } },
        'c.xml': { xml: chart },
      },
    );
    expect((await decodeAs('a.xlsx', bytes)).text).toBe(`S1\n1\n${lines}`);
  });

  it('has headers and footers without their codes and page numbers', async () => {
    const xml = `<worksheet>${row(1, cell('A1', 0, '1'))}<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;14Contract 4711&amp;RR&amp;&amp;D</oddHeader>
      <oddFooter>&amp;CPage &amp;P of &amp;N</oddFooter><evenFooter>Draft</evenFooter></headerFooter></worksheet>`;
    expect((await decodeAs('a.xlsx', workbook({ xml }))).text).toBe(
      'S1\n1\nHeader: Contract 4711 R&D\nFooter: Draft',
    );
  });

  it('may be a chart', async () => {
    const bytes = workbook(
      { xml: '<chartsheet/>', links: { d: ['drawing', 'd.xml'] } },
      {
        'd.xml': {
          xml: '<xdr:wsDr><xdr:absoluteAnchor><c:chart r:id="c"/></xdr:absoluteAnchor></xdr:wsDr>',
          links: { c: ['chart', 'c.xml'] },
        },
        'c.xml': { xml: CHART },
      },
    );
    expect((await decodeAs('a.xlsx', bytes)).text).toBe(`S1\n${CHART_LINES}`);
  });
});
