import { describe, expect, it } from '@jest/globals';
import { splitParts } from '../../../../lib/formats/join-parts.ts';
import { CHART, CHART_LINES, decodeAs, packOffice } from './pack-office.ts';

const shape = (text: string, kind = '') =>
  `<p:sp>${kind && `<p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr>`}<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

describe('PPTX slide', () => {
  it('has its charts and comments, and footers if they are new', async () => {
    const old = '<p:cmLst><p:cm authorId="0"><p:text>Is that so?</p:text></p:cm></p:cmLst>';
    const threads =
      '<p188:cmLst><p188:cm><p188:replyLst><p188:reply><p188:txBody><a:p><a:r><a:t>It is.</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst>' +
      '<p188:txBody><a:p><a:r><a:t>Sure?</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>';
    const chartEx =
      '<cx:chartSpace><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Lead</cx:pt></cx:lvl></cx:strDim>' +
      '<cx:numDim type="val"><cx:lvl formatCode="0%"><cx:pt idx="0">0.25</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>' +
      '<cx:chart><cx:title><cx:tx><cx:txData><cx:v>Steps</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion>' +
      '<cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Cash</cx:v></cx:txData></cx:tx></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>';
    const bytes = packOffice({
      'main.xml': {
        xml: '<p:presentation><p:sldId r:id="a"/><p:sldId r:id="b"/></p:presentation>',
        links: { a: ['slide', 'a.xml'], b: ['slide', 'b.xml'] },
      },
      'a.xml': {
        xml: `<p:sld>${shape('Sales', 'title')}${shape('Contract 4711', 'ftr')}${shape('7', 'sldNum')}</p:sld>`,
        links: {
          c: ['chart', 'c.xml'],
          o: ['comments', 'o.xml'],
          i: ['image', 'i.png'],
          v: ['video', 'v.mp4'],
        },
      },
      'b.xml': {
        xml: `<p:sld>${shape('More')}${shape('Contract 4711', 'ftr')}</p:sld>`,
        links: {
          c: ['chartEx', 'x.xml'],
          e: ['chart', 'empty.xml'],
          o: ['comments', 't.xml'],
          i: ['image', 'i.png'],
        },
      },
      ...{
        'c.xml': { xml: CHART },
        'o.xml': { xml: old },
        't.xml': { xml: threads },
        'x.xml': { xml: chartEx },
      },
    });
    const decoded = await decodeAs('a.pptx', bytes);
    expect(splitParts(decoded)).toEqual([
      `Sales\n\nContract 4711\n${CHART_LINES}\nComment: Is that so?`,
      'More\nChart: Steps\n| Cash\nLead | 0.25 (25%)\nComment: It is.\nComment: Sure?',
    ]);
    expect(decoded.left).toEqual([
      { kind: 'images', count: 1 },
      { kind: 'videos', count: 1 },
      { kind: 'charts', count: 1 },
    ]);
  });

  it('is rejected if a chart with many series has little text in many rows', async () => {
    const series = (index: number) =>
      `<c:ser><c:val><c:numLit><c:pt idx="${index}"><c:v>1</c:v></c:pt></c:numLit></c:val></c:ser>`;
    const many = (count: number) => Array.from({ length: count }, (_, index) => series(index)).join('');
    const bytes = (count: number) =>
      packOffice({
        'main.xml': { xml: '<p><p:sldId r:id="a"/></p>', links: { a: ['slide', 'a.xml'] } },
        'a.xml': { xml: '<p:sld/>', links: { c: ['chart', 'c.xml'] } },
        'c.xml': { xml: `<c:chartSpace>${many(count)}</c:chartSpace>` },
      });
    expect((await decodeAs('a.pptx', bytes(20_000))).text.length).toBeLessThan(200_000);
    const rows = Array.from(
      { length: 40_000 },
      (_, index) => `<c:pt idx="${index}"><c:v>1</c:v></c:pt>`,
    ).join('');
    const wide = packOffice({
      'main.xml': { xml: '<p><p:sldId r:id="a"/></p>', links: { a: ['slide', 'a.xml'] } },
      'a.xml': { xml: '<p:sld/>', links: { c: ['chart', 'c.xml'] } },
      'c.xml': {
        xml: `<c:chartSpace>${'<c:ser></c:ser>'.repeat(254)}<c:ser><c:val><c:numLit>${rows}</c:numLit></c:val></c:ser></c:chartSpace>`,
      },
    });
    await expect(decodeAs('a.pptx', wide)).rejects.toThrow('The PPTX file has more than 20 MB of text.');
  });
});
