import { describe, expect, it } from '@jest/globals';
import { packZip } from '../../../support/samples/zip.ts';
import { decodeAs } from './pack-office.ts';

const p = (content: string) => `<text:p>${content}</text:p>`;
const CHART =
  '<office:document><chart:chart><chart:title><text:p>Rain by month</text:p></chart:title><chart:axis><chart:title><text:p>Month</text:p></chart:title></chart:axis>' +
  '<table:table><table:table-row><table:table-cell><text:p/></table:table-cell><table:table-cell><text:p>Rain</text:p></table:table-cell></table:table-row>' +
  '<table:table-row><table:table-cell><text:p>May</text:p></table:table-cell><table:table-cell><text:p>42</text:p></table:table-cell></table:table-row></table:table></chart:chart></office:document>';
const CHART_LINES = 'Rain by month\nMonth\n| Rain\nMay | 42';
const OBJECTS = {
  'Object 1/content.xml': CHART,
  'Object 2/content.xml':
    '<math:math><math:mi>a</math:mi><math:mo>+</math:mo><math:mi>b</math:mi></math:math>',
  'Object 3/content.xml': '<office:document><office:text/></office:document>',
  'Object 4': 'binary',
  'Pictures/a.png': 'png',
  'Basic/Standard/Module1.xml': '<x/>',
  'Basic/Standard/script-lb.xml': '<x/>',
};
const object = (number: number) => `<draw:frame><draw:object xlink:href="./Object ${number}"/></draw:frame>`;
const LEFT = [
  { kind: 'embedded_objects', count: 2 },
  { kind: 'images', count: 1 },
  { kind: 'macros', count: 1 },
];

describe('OpenDocument file', () => {
  it('ODT has headers and footers once and without page numbers, charts, and formulas', async () => {
    const page = (content: string) => `<style:master-page>${content}</style:master-page>`;
    const styles =
      page(
        `<style:header>${p('Contract <text:span>4711</text:span>')}</style:header><style:header-left style:display="false">${p('Not shown')}</style:header-left>`,
      ) +
      page(
        `<style:header-first>${p('Contract 4711')}</style:header-first><style:footer>${p('Page <text:page-number>3</text:page-number>')}${p('Draft')}</style:footer>`,
      );
    const content = `<office:text>${p('Before.')}${p(object(1))}${p(object(2))}${p(object(3))}${p('After.')}</office:text>`;
    const decoded = await decodeAs(
      'a.odt',
      packZip({ 'content.xml': content, 'styles.xml': styles, ...OBJECTS }),
    );
    expect(decoded.text).toBe(
      `Header: Contract 4711\n\nFooter: Draft\n\nBefore.\n\n${CHART_LINES}\na+b\n\nAfter.`,
    );
    expect(decoded.left).toEqual(LEFT);
  });

  it('ODP has the comments of its slides, and charts', async () => {
    const note = `<office:annotation><dc:creator>Ann</dc:creator>${p('Is that so?')}</office:annotation>`;
    const content = `<draw:page><draw:frame><draw:text-box>${p('Said.')}</draw:text-box></draw:frame>${object(1)}${note}</draw:page>`;
    const decoded = await decodeAs('a.odp', packZip({ 'content.xml': content, ...OBJECTS }));
    expect(decoded.text).toContain(`Said.\n\n${CHART_LINES}`);
    expect(decoded.text).toMatch(/Comment: .*Is that so\?/);
    expect(decoded.left).toEqual(LEFT);
  });

  it('ODS has formatted numbers, comments, text boxes, charts, and headers in their rows', async () => {
    const cell = (type: string, value: string, shown: string, more = '') =>
      `<table:table-cell office:value-type="${type}" office:value="${value}">${more}${p(shown)}</table:table-cell>`;
    const note = `<office:annotation><dc:creator>Ann</dc:creator><dc:date>2024-01-01</dc:date>${p('Too')}${p('low')}</office:annotation>`;
    const box = `<draw:frame><draw:text-box>${p('Boxed')}</draw:text-box></draw:frame>`;
    const row = (content: string) => `<table:table-row>${content}</table:table-row>`;
    const content = `<table:table table:name="S1"><table:shapes>${object(1)}</table:shapes>
      ${row(cell('percentage', '0.125', '12.5 %', note) + cell('float', '42', '00042'))}
      ${row(cell('float', '7', '7', box))}</table:table>`;
    const header = `<style:header>${p('<text:sheet-name>???</text:sheet-name>')}${p('Contract 4711')}</style:header>`;
    const decoded = await decodeAs(
      'a.ods',
      packZip({ 'content.xml': content, 'styles.xml': `<s>${header}</s>`, ...OBJECTS }),
    );
    expect(decoded.text).toBe(
      `S1\n0.125 (12.5 %) [Comment: Too low] | 42 (00042)\nHeader: Contract 4711\n${CHART_LINES}\n7\nBoxed`,
    );
    expect(decoded.sheets?.[0]?.rowNumbers).toEqual([1, 1, 1, 1, 1, 1, 2, 2]);
  });
});
