import { describe, expect, it } from '@jest/globals';
import { extract } from '../../../lib/formats/extract.ts';
import { docx } from '../../../lib/formats/office/docx.ts';
import { packWordBody } from '../../support/word-drafts.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

function style(type: string, id: string, inner: string): string {
  return `<w:style w:type="${type}" w:styleId="${id}">${inner}</w:style>`;
}

describe('the styles of a DOCX file', () => {
  it('are read each on its own: a style of characters or tables changes no heading', async () => {
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
});
