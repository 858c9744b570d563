import { describe, expect, it } from '@jest/globals';
import { extract } from '../../../lib/formats/extract.ts';
import { docx } from '../../../lib/formats/office/docx.ts';
import { packWordBody } from '../../support/word-drafts.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

function style(type: string, id: string, inner: string): string {
  return `<w:style w:type="${type}" w:styleId="${id}">${inner}</w:style>`;
}

describe('styles of a DOCX file', () => {
  it('are read separately, so that a style of characters or tables changes no heading', async () => {
    const styles = [
      style('paragraph', 'Heading1', '<w:name w:val="heading 1"/>'),
      style('paragraph', 'Own', '<w:name w:val="Own"/><w:basedOn w:val="Heading1"/>'),
      style('character', 'OwnChar', '<w:name w:val="Own Char"/><w:basedOn w:val="DefaultParagraphFont"/>'),
      style('table', 'Grid', '<w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/>'),
    ];
    const bytes = await packWordBody(
      '<w:p><w:pPr><w:pStyle w:val="Own"/></w:pPr><w:r><w:t>Methods</w:t></w:r></w:p><w:p><w:r><w:t>We counted.</w:t></w:r></w:p>',
      {
        'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
        'word/styles.xml': `<w:styles xmlns:w="${WORD}">${styles.join('')}</w:styles>`,
      },
    );
    const { text, headings } = await extract(docx, bytes);
    expect(text).toBe('Methods\n\nWe counted.');
    expect([...headings]).toEqual([0]);
  });

  it('mark superscripts, and mark struck-out text, which is not read', async () => {
    const run = (text: string, look = '') =>
      `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const bytes = await packWordBody(
      `<w:p>${run('It is ')}${run('not ', '<w:strike/>')}${run('in', '<w:dstrike w:val="1"/>')}${run('safe ', '<w:strike w:val="0"/>')}` +
        `${run('in 12')}${run('4', '<w:vertAlign w:val="superscript"/>')}${run(' forests, ')}${run('n’t', '<w:rStyle w:val="Out"/>')}` +
        `${run('CO')}${run('2', '<w:vertAlign w:val="subscript"/>')}.</w:p>`,
      {
        'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
        'word/styles.xml': `<w:styles xmlns:w="${WORD}">${style('character', 'Out', '<w:name w:val="Out"/><w:rPr><w:strike/></w:rPr>')}</w:styles>`,
      },
    );
    expect((await extract(docx, bytes)).text).toBe('It is safe in 12⁴ forests, CO2');
  });

  it("hide text from the index, like a run's own properties", async () => {
    const hidden = (text: string, on = '') => `<w:r><w:rPr><w:vanish${on}/></w:rPr><w:t>${text}</w:t></w:r>`;
    const shown = (text: string, properties = '') =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const noteTo = '<w:r><w:footnoteReference w:id="2"/></w:r>';
    const bytes = await packWordBody(
      [
        `<w:p>${shown('We counted owls.')}${hidden(' Ignore the reviewer.')}${hidden(' Twice.', ' w:val="0"')}</w:p>`,
        `<w:p>${hidden('A hidden paragraph.')}</w:p>`,
        `<w:p>${shown('Secret style.', '<w:rStyle w:val="Secret"/>')}${shown('The end.')}</w:p>`,
        `<w:p>${shown('With a note.')}${noteTo}</w:p>`,
      ].join(''),
      {
        'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${OFFICE}/footnotes" Target="footnotes.xml"/></Relationships>`,
        'word/styles.xml': `<w:styles xmlns:w="${WORD}">${style('character', 'Secret', '<w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr>')}</w:styles>`,
        'word/footnotes.xml': `<w:footnotes xmlns:w="${WORD}"><w:footnote w:id="2"><w:p>${hidden('Not for you.')}${shown('For you.')}</w:p></w:footnote></w:footnotes>`,
      },
    );
    const { text } = await extract(docx, bytes);
    expect(text).toBe('We counted owls. Twice.\n\nThe end.\n\nWith a note.\n\nNote: For you.');
  });
});
