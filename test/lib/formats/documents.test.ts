import { describe, expect, it } from '@jest/globals';
import { decoders } from '../../../lib/formats/all-decoders.ts';
import { formatOf, type NameOf, readingFormat } from '../../../lib/formats/all-formats.ts';
import { decodeSource } from '../../../lib/formats/decode-source.ts';
import type { Decoded } from '../../../lib/formats/format.ts';
import { partOf } from '../../../lib/formats/part-of.ts';
import { packZip } from '../../support/samples/zip.ts';
import { goldenDocument } from './samples.ts';

function decode(path: string, bytes: Uint8Array = goldenDocument(path)): Promise<Decoded> {
  return decoders[formatOf(path)?.name as NameOf<'encoded'>](bytes);
}

function headingsOf({ text, headings = new Set() }: Decoded): string[] {
  return [...headings].map((at) => text.slice(at).split('\n')[0] ?? '');
}

const partsOf = ({ text, partStarts }: Decoded) =>
  partStarts.map((start, index) => text.slice(start, partStarts[index + 1]).trim());

describe('text document', () => {
  it('DOCX omits deleted and repeated text, and keeps notes and text boxes in their places', async () => {
    const decoded = await decode('apes.docx');
    expect(decoded.text).toBe(`Field notes

Methods

We counted from the tower.

Note: Counted by hand.

Ergebnisse der Zählung

Apes climb high in the evening.

Comment: Which evening?

- bananas
- figs

first line
second line\tafter a tab

ape | height
Koko | 12 m | tall inner | table

Said in a box.

Around the box.`);
    // The last one by the outline level of its base style.
    expect(headingsOf(decoded)).toEqual(['Field notes', 'Methods', 'Ergebnisse der Zählung']);
  });

  it('ODT is read', async () => {
    const decoded = await decode('apes.odt');
    expect(decoded.text).toBe(`Apes

Apes climb high in the evening.

Note: Counted by hand.

Comment: Which evening?

- bananas
- figs

first line
second line\tafter a tab

ape | height
Koko | 12 m`);
    expect(headingsOf(decoded)).toEqual(['Apes']);
  });

  it('RTF is read in the code pages of its fonts, without the fallback text of Unicode characters', async () => {
    const decoded = await decode('apes.rtf');
    expect(decoded.text).toBe(`Apes

Apes climb high in
the evening… €—ä😀 end.

Note: Counted by hand.

- bananas
- figs

中文 Привет

中文a link

{braces}

new paragraph

ape | height
Koko young | 12 m

After the table.x`);
    expect(headingsOf(decoded)).toEqual(['Apes']);
  });

  it('RTF is read in the code page of the file, even if a two-byte character ends in an ASCII byte', async () => {
    const text = "{\\rtf1\\ansi\\ansicpg932 \\'83A\\'83C\\par}";
    expect((await decode('a.rtf', Buffer.from(text))).text).toBe('アイ');
  });

  it('ODT omits struck-out text, by the styles of the file', async () => {
    const style = (name: string, family: string, looks: string) =>
      `<style:style style:name="${name}" style:family="${family}"><style:text-properties ${looks}/></style:style>`;
    const styles = [
      style('T1', 'text', 'style:text-line-through-style="solid"'),
      style('T2', 'text', 'style:text-line-through-style="none"'),
      style('T3', 'text', 'fo:color="#f00"'),
      style('P1', 'paragraph', 'style:text-line-through-type="double"'),
      style('P2', 'text', 'style:text-line-through-style="solid"'),
      '<text:list-style><style:text-properties style:text-line-through-style="none"/></text:list-style>',
      '<style:style style:name="T4" style:family="text" style:parent-style-name="T1"/>',
    ].join('');
    const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`;
    const paragraph = (name: string, text: string) => `<text:p text:style-name="${name}">${text}</text:p>`;
    const first = `Apes ${span('T1', `never ${span('T3', 'ever ')}${span('T2', 'climb ')}`)}high.${span('T4', ' Not so. <text:note><text:p>By Rita.</text:p></text:note>')}`;
    const body = paragraph('P2', first) + paragraph('P1', `Low.${span('T2', 'They sleep.')}`);
    const bytes = packZip({
      'content.xml': `<d><office:automatic-styles>${styles}</office:automatic-styles>${body}</d>`,
    });
    expect((await decode('a.odt', bytes)).text).toBe('Apes climb high.\n\nNote: By Rita.\n\nThey sleep.');
  });

  it('RTF omits struck-out text', async () => {
    const text = '{\\rtf1 Apes {\\strike never }climb \\striked1 low\\striked0 high.\\par}';
    expect((await decode('a.rtf', Buffer.from(text))).text).toBe('Apes climb high.');
  });

  it('EPUB follows the reading order, with the titles of its contents', async () => {
    const decoded = await decode('apes.epub');
    expect(decoded.text).toBe(
      'Field notes on apes\n\nOf bears\n\nBears swim far & wide.\n\nOf apes\nApes climb high in the evening.\n\nAt night\nThey sleep.',
    );
    expect(headingsOf(decoded)).toEqual(['Field notes on apes', 'Of bears', 'Of apes', 'At night']);
  });

  it('mail is read with its sender and attachments', async () => {
    const decoded = await decode('apes.eml');
    expect(decoded.text).toBe(`Über Affen am Abend
From: Rita Öwl <rita@example.org>
To: team@example.org, Koko <koko@example.org>
Date: 2024-03-01T13:30:00.000Z

Apes climb high in the evening.

-- 
Rita

Attachments: höhen.pdf`);
    expect(headingsOf(decoded)).toEqual(['Über Affen am Abend']);
  });

  it('mail with only HTML is read in its declared encoding', async () => {
    const head = 'Subject: x\nContent-Type: text/html; charset=gbk\n\n<title>no</title><h1>';
    const mail = Buffer.concat([Buffer.from(head), Buffer.from('d6d0cec4', 'hex'), Buffer.from('</h1>')]);
    expect((await decode('a.eml', mail)).text).toBe('x\n\nno\n\n中文');
  });

  it('saved page is read', async () => {
    expect((await decode('apes.mhtml')).text).toBe('Apes\nBears swim far.\nApes climb high in the evening.');
  });
});

describe('presentation', () => {
  const apes = ['Apes', 'Apes climb high in the evening.', 'Notes: Say this slowly.'];

  it('PPTX omits struck-out text', async () => {
    const run = (text: string, look = '') => `<a:r><a:rPr${look}/><a:t>${text}</a:t></a:r>`;
    const struck = [run('never ', ' strike="sngStrike"'), run('low ', ' strike="dblStrike"')].join('');
    const paragraph = `<a:p>${run('Apes ')}${struck}${run('climb ', ' strike="noStrike"')}<a:r><a:t>high</a:t></a:r></a:p>`;
    const relation = (type: string, target: string, id = 'r') =>
      `<r><Relationship Id="${id}" Type="x/${type}" Target="${target}"/></r>`;
    const bytes = packZip({
      '_rels/.rels': relation('officeDocument', 'main.xml'),
      'main.xml': '<p><p:sldId r:id="r"/></p>',
      '_rels/main.xml.rels': relation('slide', 's.xml'),
      's.xml': `<s><p:sp>${paragraph}</p:sp></s>`,
    });
    expect((await decode('a.pptx', bytes)).text).toBe('Apes climb high');
  });

  it('PPTX is read slide by slide in display order, each with its title first', async () => {
    const decoded = await decode('apes.pptx');
    const said = 'Said before the title, in the file.\nApes climb high in the evening.';
    expect(partsOf(decoded)).toEqual([
      'Shown first',
      'Bears\n\nBears swim far.',
      [apes[0], said, 'ape | height\nKoko | 12 m', apes[2]].join('\n\n'),
    ]);
    expect(headingsOf(decoded)).toEqual(['Shown first', 'Bears', 'Apes']);
  });

  it('ODP is read', async () => {
    const decoded = await decode('apes.odp');
    expect(partsOf(decoded)).toEqual(['Bears\n\nBears swim far.', apes.join('\n\n')]);
    expect(headingsOf(decoded)).toEqual(['Bears', 'Apes']);
  });
});

describe('workbook', () => {
  it('XLSX shows dates as dates, includes hidden sheets, and keeps row numbers', async () => {
    const decoded = await decode('apes.xlsx');
    expect(partsOf(decoded)).toEqual([
      `Counts
animal | seen | share | counted | rainy | sum
bear | 4 | 0.3 | 2024-03-01 | TRUE | =B2*2
ape climbs high in the evening | 12345678.5 |  | 2024-02-29 14:30
 |  |  | 06:15 | #DIV/0! |  | far to the right
 |  |  | 36:00:00
three in one
5 (5 days) |  |  | 1999-12-31 (31. Dezember 1999)`,
      'Secret | notes\ntwo lines',
      '',
    ]);
    expect(decoded.sheets?.map(({ name, rowNumbers }) => [name, rowNumbers])).toEqual([
      ['Counts', [1, 2, 40, 41, 42, 43, 44]],
      ['Secret | notes', [2]],
      ['Empty', []],
    ]);
    const [, first = 0, second = 0] = decoded.partStarts;
    expect(decoded.contexts).toEqual([
      { at: 0, text: 'Counts: animal | seen | share | counted | rainy | sum' },
      { at: first - 1, text: '' },
      { at: first, text: 'Secret | notes' },
      { at: second - 1, text: '' },
      { at: second, text: 'Empty' },
    ]);
    const start = decoded.text.indexOf('ape climbs');
    const end = decoded.text.indexOf('far to');
    expect(partOf(decoded, 'sheet', { start, end })).toEqual({ sheet: 'Counts', rows: [40, 41], of: 44 });
  });

  it.each([
    ['bear', 'A2'],
    ['bear | 4', 'A2:B2'],
    ['2024-02-29 14:30', 'D40'],
    ['far to the right', 'XFD41'],
    ['06:15 | #DIV/0!', 'D41:E41'],
    ['seen | share', 'B1:C1'],
    ['bear | 4 | 0.3 | 2024-03-01 | TRUE | =B2*2\nape', undefined],
    ['Counts', undefined],
    ['notes\ntwo', undefined],
    ['two lines', 'B2'],
  ])('names the cells of %j: %s', async (quote, cells) => {
    const decoded = await decode('apes.xlsx');
    const start = decoded.text.indexOf(quote);
    expect(partOf(decoded, 'sheet', { start, end: start + quote.length }).cells).toBe(cells);
  });

  it("doesn't name a cell of a row in which a cell contains the cell separator", async () => {
    const text = 'S\na | b | c';
    const sheet = { name: 'S', rowStarts: [2], rowNumbers: [1], columns: [1, 2] };
    const decoded = { text, partStarts: [0], sheets: [sheet] };
    expect(partOf(decoded, 'sheet', { start: 2, end: 3 }).cells).toBeUndefined();
  });

  it('XLSX may count days from 1904', async () => {
    expect((await decode('mac-1904.xlsx')).text).toBe('Sheet\n2024-03-01');
  });

  it('ODS repeats cells as often as declared, and ignores a million empty rows', async () => {
    const decoded = await decode('apes.ods');
    expect(partsOf(decoded)).toEqual([
      'Counts\nanimal | seen | counted\nape climbs high in the evening | 12345678.5 (12,345,679) | 2024-03-01 (01.03.24)',
      'Alike\nTRUE | TRUE\nTRUE | TRUE',
    ]);
    expect(decoded.sheets?.[0]?.rowNumbers).toEqual([1, 40]);
  });
});

describe('notebook', () => {
  it('contains its cells and their output, without images and colors', async () => {
    expect(partsOf(await decode('apes.ipynb'))).toEqual([
      '# Apes\n\nBears swim far.',
      "print('climbs')\nplot()\n\nOutput:\nclimbs high\n<Figure 640x480>\nValueError: no ape",
      'Apes climb high in the evening.\n\n![](attachment:a.png)',
    ]);
  });

  it('contains no unpaired surrogate, for which a service would reject it and its neighbors', async () => {
    const bytes = Buffer.from(String.raw`{"cells":[{"cell_type":"raw","source":"a \ud83d b"}]}`);
    const decoded = await decodeSource(readingFormat('a.ipynb'), bytes);
    expect(decoded?.text).toBe('a \ufffd b');
  });

  it('is read in the format before 2015, and with any cell content', async () => {
    const cells = [
      { cell_type: 'code', input: ['a = 1\n', 'b'], outputs: 7 },
      'no cell',
      { cell_type: 'raw' },
    ];
    const old = Buffer.from(JSON.stringify({ worksheets: [{ cells }] }));
    expect(partsOf(await decode('old.ipynb', old))).toEqual(['a = 1\nb', '', '']);
  });
});

const office = ['docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods', 'epub'];

describe('unreadable document', () => {
  it.each(['locked.xlsx', 'locked-zip.xlsx'])('is rejected for its password: %s', async (name) => {
    const refusal = {
      message: 'The XLSX file is protected by a password. Remove the protection, then add it again.',
      reason: 'encrypted',
    };
    await expect(decode(name)).rejects.toMatchObject(refusal);
  });

  it.each(['odt', 'odp', 'ods'])('is rejected for its manifest: %s', async (extension) => {
    const manifest =
      '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>';
    const bytes = packZip({ 'META-INF/manifest.xml': manifest, 'content.xml': 'noise' });
    const refusal = {
      message: expect.stringMatching(/^The OD. file is protected by a password\./),
      reason: 'encrypted',
    };
    await expect(decode(`a.${extension}`, bytes)).rejects.toMatchObject(refusal);
  });

  it('is rejected for its DRM in EPUB, but not for encrypted fonts', async () => {
    const lock = (algorithm: string) =>
      `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData></encryption>`;
    const refusalOf = async (algorithm: string) => {
      const bytes = packZip({ 'META-INF/encryption.xml': lock(algorithm) });
      return decode('a.epub', bytes).catch((error: { reason: string }) => error.reason);
    };
    expect(await refusalOf('http://www.w3.org/2001/04/xmlenc#aes128-cbc')).toBe('encrypted');
    expect(await refusalOf('http://www.idpf.org/2008/embedding')).toBe('broken');
  });

  it.each(office)('is rejected if it is truncated, empty, or in another format: %s', async (extension) => {
    const whole = goldenDocument(`apes.${extension}`);
    const cut = whole.subarray(0, whole.length - 200);
    const other = packZip({ 'hello.txt': 'hello' });
    const oldBinary = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    for (const bytes of [cut, Buffer.alloc(0), other, oldBinary]) {
      const refusal = {
        message: `The ${extension.toUpperCase()} file can't be read. It may be damaged.`,
        reason: 'broken',
      };
      await expect(decode(`a.${extension}`, bytes)).rejects.toMatchObject(refusal);
    }
  });

  it.each(['a.rtf', 'a.eml', 'a.mhtml', 'a.ipynb'])(
    'is rejected if it is empty, or noise: %s',
    async (path) => {
      for (const text of ['', 'hello, world', '\u0000\u0001{}[]'])
        await expect(decode(path, Buffer.from(text))).rejects.toMatchObject({ reason: 'broken' });
    },
  );
});

describe('document that expands without end', () => {
  const parts = {
    '_rels/.rels':
      '<Relationships><Relationship Id="1" Type="x/officeDocument" Target="main.xml"/></Relationships>',
  };
  const odf = (rows: string) =>
    packZip({ 'content.xml': `<table:table table:name="a">${rows}</table:table>` });

  it('is rejected by its depth', async () => {
    const bytes = packZip({ ...parts, 'main.xml': '<a>'.repeat(600) });
    await expect(decode('a.docx', bytes)).rejects.toThrow('The DOCX file has more than 500 nested elements.');
    await expect(decode('a.rtf', Buffer.from(`{\\rtf1${'{'.repeat(2000)}`))).rejects.toThrow(
      'more than 1000 nested groups',
    );
  });

  it('is rejected by its text, if a cell declares many repetitions', async () => {
    const cell = `<table:table-cell table:number-columns-repeated="9999999"><text:p>${'ape'.repeat(1000)}</text:p></table:table-cell>`;
    const rows = `<table:table-row table:number-rows-repeated="9999999">${cell}</table:table-row>`;
    await expect(decode('a.ods', odf(rows))).rejects.toThrow('The ODS file has more than 20 MB of text.');
  });

  it('is rejected by its parts, however short each is', async () => {
    const cells = Array.from({ length: 20_001 }, () => ({ cell_type: 'raw', source: 'a' }));
    const notebook = Buffer.from(JSON.stringify({ cells }));
    await expect(decode('a.ipynb', notebook)).rejects.toThrow('more than 20000 pages, slides, or cells.');
    const slides = packZip({
      ...parts,
      'main.xml': `<p>${'<p:sldId r:id="1"/>'.repeat(20_001)}</p>`,
      '_rels/main.xml.rels': '<r><Relationship Id="1" Type="x/slide" Target="s.xml"/></r>',
      's.xml': '<a>'.repeat(600), // not to be read 20,001 times
    });
    await expect(decode('a.pptx', slides)).rejects.toThrow('more than 20000');
  });

  it('has entities that are not resolved', async () => {
    const xml = '<!DOCTYPE a [<!ENTITY b "bbb"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
    const document = `${xml}<w:document><w:p><w:r><w:t>x &b; &c; &amp; &#x41;</w:t></w:r></w:p></w:document>`;
    expect((await decode('a.docx', packZip({ ...parts, 'main.xml': document }))).text).toBe('x &b; &c; & A');
  });
});
