import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Returns numbers from 0 to below a limit, which are the same for the same seed (mulberry32). */
function numbersOf(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    isSo: (share: number) => next() < share,
    pick: <Of>(...all: Of[]): Of => all[below(all.length)] as Of,
  };
}

type Random = ReturnType<typeof numbersOf>;

export interface WordDraftSample {
  bytes: Uint8Array;
  /** The entries, before they are packed. */
  entries: Map<string, Buffer>;
  main: string;
  /**
   * In document order. `elsewhere` is the text of a comment's range if it isn't the comment's own sentence.
   */
  sentences: { text: string; elsewhere?: string }[];
  /** IDs of the author's own comments. */
  ownComments: number[];
}

const TRANSITIONAL = {
  word: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  office: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
};
const STRICT = {
  word: 'http://purl.oclc.org/ooxml/wordprocessingml/main',
  office: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
};
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** Returns a draft with a random choice of Word's building blocks. The same seed creates the same draft. */
export async function makeWordDraft(seed: number): Promise<WordDraftSample> {
  const random = numbersOf(seed);
  const writer = newWriter(random);
  for (let count = 2 + random.below(6); count > 0; count--) writer.add();
  const namespaces = random.isSo(0.15) ? STRICT : TRANSITIONAL;
  const folder = random.pick('word', 'word', 'doc');
  const main = `${folder}/${random.pick('document', 'document', 'document2')}.xml`;
  const entries = new Map<string, Buffer>();
  const encode = encoderOf(random);
  const body = withPrefix(random, writer.finish(), namespaces.word);
  const own = writer.ownComments;
  const commentsName = random.pick('comments.xml', 'comments.xml', 'annotations/notes1.xml');
  const hasComments = own.length > 0 || random.isSo(0.3);
  const rels = [
    `<Relationship Id="rId1" Type="${namespaces.office}/footnotes" Target="footnotes.xml"/>`,
    '<Relationship Id="rId7" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="http://a.example" TargetMode="External"/>',
    ...(hasComments
      ? [`<Relationship Id="rId2" Type="${namespaces.office}/comments" Target="${commentsName}"/>`]
      : []),
  ];
  const override = (name: string, kind: string) =>
    `<Override PartName="/${folder}/${name}" ContentType="${TYPE}.${kind}+xml"/>`;
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
  entries.set(
    '[Content_Types].xml',
    Buffer.from(
      `${declaration}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>${override(main.slice(folder.length + 1), 'document.main')}${override('footnotes.xml', 'footnotes')}${hasComments ? override(commentsName, 'comments') : ''}</Types>`,
    ),
  );
  entries.set(
    '_rels/.rels',
    Buffer.from(
      `${declaration}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${namespaces.office}/officeDocument" Target="${main}"/></Relationships>`,
    ),
  );
  const w = `xmlns:w="${namespaces.word}"`;
  entries.set(main, encode(body));
  entries.set(
    `${folder}/_rels/${main.slice(folder.length + 1)}.rels`,
    Buffer.from(
      `${declaration}<Relationships xmlns="${PACKAGE}/relationships">${rels.join('')}</Relationships>`,
    ),
  );
  entries.set(
    `${folder}/footnotes.xml`,
    Buffer.from(`<w:footnotes ${w}>${writer.footnotes.join('')}</w:footnotes>`),
  );
  if (hasComments) {
    const comments = own.map(
      (id) =>
        `<w:comment w:id="${id}" w:author="R. Owl"><w:p><w:r><w:t>Own ${id}.</w:t></w:r></w:p></w:comment>`,
    );
    const source =
      own.length === 0 ? `<w:comments ${w} />` : `<w:comments ${w}>\n${comments.join('\n')}\n</w:comments>\n`;
    entries.set(`${folder}/${commentsName}`, encode(source));
  }
  if (random.isSo(0.2)) entries.set(`${folder}/vbaProject.bin`, Buffer.from('macro\0\x01'.repeat(50)));
  return {
    bytes: await pack(random, entries),
    entries,
    main,
    sentences: writer.sentences,
    ownComments: own,
  };
}

/** UTF-8 with or without a byte order mark, or UTF-16. */
function encoderOf(random: Random): (source: string) => Buffer {
  const kind = random.below(10);
  if (kind === 0) return (source) => Buffer.from(`\ufeff${source}`);
  if (kind === 1) return (source) => Buffer.from(`\ufeff${source}`, 'utf16le');
  if (kind === 2) return (source) => Buffer.from(`\ufeff${source}`, 'utf16le').swap16();
  return (source) => Buffer.from(source);
}

/** The root declares Word's namespace as `w`, with another prefix, or as the default. */
function withPrefix(random: Random, body: string, namespace: string): string {
  const others =
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"';
  const start = random.pick(
    '<?xml version="1.0"?>\n',
    "<?xml version='1.0' standalone='yes'?>\r\n<!-- a <w:p> -->",
    '',
  );
  const source = `${start}<w:document xmlns:w="${namespace}" ${others}><w:body>${body}<w:sectPr/></w:body></w:document>`;
  const kind = random.below(8);
  if (kind === 0) return source.replaceAll(/(<\/?|\s)w:/g, '$1ns0:').replace('xmlns:w=', 'xmlns:ns0=');
  if (kind !== 1) return source;
  const bare = source.replaceAll(/(<\/?)w:/g, '$1').replaceAll(/\sw:(?=[a-zA-Z]+=)/g, ' v:');
  return bare.replace('xmlns:w=', `xmlns="${namespace}" xmlns:v=`);
}

async function pack(random: Random, entries: Map<string, Buffer>): Promise<Uint8Array> {
  const zip = new ZipFile();
  const isStreamed = random.isSo(0.2);
  const forceZip64Format = random.isSo(0.2);
  for (const [name, bytes] of entries) {
    const options = { compress: random.isSo(0.8), forceZip64Format, mtime: new Date(2020, 1, 2) };
    if (isStreamed) zip.addReadStream(Readable.from([bytes]), name, options);
    else zip.addBuffer(bytes, name, options);
  }
  zip.end({ comment: random.pick('', 'An archive.'), forceZip64Format });
  return buffer(zip.outputStream);
}

/** Packs a Word document with one part: the contents of its body, and other entries. */
export function packWordBody(
  body: string,
  others: Record<string, string | Buffer> = {},
): Promise<Uint8Array> {
  const { word, office } = TRANSITIONAL;
  const entries: Record<string, string | Buffer> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${TYPE}.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
    ...others,
  };
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

const SUBJECTS = [
  'Owls',
  'Apes',
  'The 3.5 kg box',
  'Smith et al. (2019)',
  'A & B <c>',
  'Dr. Lee',
  'Zoë 🦉',
  '猫头鹰',
];
const VERBS = [
  'sleep by day',
  'weigh 12 kg',
  'grew by 4.2 % in 2020',
  'are in Fig. 3',
  'eat mice, e.g. at night',
];

function newWriter(random: Random) {
  const sentences: WordDraftSample['sentences'] = [];
  const footnotes: string[] = [];
  const ownComments: number[] = [];
  const blocks: string[] = [];
  let count = 0;
  let ids = 1000;
  const newSentence = () => `${random.pick(...SUBJECTS)} ${random.pick(...VERBS)}, case ${++count}.`;
  const properties = () =>
    random.pick('', '', '<w:rPr><w:b/></w:rPr>', '<w:rPr><w:i w:val="0"/><w:vanish w:val="false"/></w:rPr>');
  const run = (text: string) => `<w:r>${properties()}${textXml(random, text)}</w:r>`;
  const noise = () =>
    random.pick(
      ...['', '', '', '<w:proofErr w:type="spellStart"/>', '<!-- no > text -->', '<?mso x="1>2"?>'],
      ...[`<w:bookmarkStart w:id="${++ids}" w:name="b${ids}"/><w:bookmarkEnd w:id="${ids}"/>`],
      ...['<w:r><w:rPr><w:vanish/></w:rPr><w:t>Hidden words. </w:t></w:r>', '<w:r/>'],
      ...[`<w:del w:id="${++ids}" w:author="x"><w:r><w:delText>Deleted. </w:delText></w:r></w:del>`],
    );
  const wrap = (inner: string) =>
    random.pick(
      ...[inner, inner, inner, `<w:hyperlink r:id="rId7">${inner}</w:hyperlink>`],
      `<w:ins w:id="${++ids}" w:author="x" w:date="2026-01-01T00:00:00Z">${inner}</w:ins>`,
      `<w:sdt><w:sdtPr/><w:sdtContent>${inner}</w:sdtContent></w:sdt>`,
      `<w:smartTag w:element="x">${inner}</w:smartTag>`,
      `<w:fldSimple w:instr=" REF a "><w:r><w:t></w:t></w:r>${inner}</w:fldSimple>`,
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ADDIN x </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${inner}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
    );
  /** Splits the text anywhere, even within a sentence. */
  const runs = (text: string): string => {
    if (random.isSo(0.3)) return run(text);
    const cut = cutAt(text, 1 + random.below(Math.max(1, text.length - 1)));
    const [left, right] = [text.slice(0, cut), text.slice(cut)];
    return noise() + wrap(run(left)) + noise() + (right === '' ? '' : runs(right)) + noise();
  };
  const paragraph = (before = '', length = 1 + random.below(4)) => {
    const own = Array.from({ length }, newSentence);
    sentences.push(...own.map((text) => ({ text })));
    const commented = random.isSo(0.2) ? ids++ : undefined;
    const xml = runs(own.join(random.pick(' ', '  ')));
    if (commented === undefined) return `<w:p>${before}${xml}</w:p>`;
    ownComments.push(commented);
    return `<w:p>${before}<w:commentRangeStart w:id="${commented}"/>${xml}<w:commentRangeEnd w:id="${commented}"/><w:r><w:commentReference w:id="${commented}"/></w:r></w:p>`;
  };
  const withNote = () => {
    const xml = paragraph('', 1);
    const id = footnotes.length + 1;
    const text = newSentence();
    sentences.push({ text, elsewhere: '' });
    footnotes.push(`<w:footnote w:id="${id}"><w:p>${run(text)}</w:p></w:footnote>`);
    return xml.replace('</w:p>', `<w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`);
  };
  const withBox = () => {
    const [inner, outer] = [newSentence(), newSentence()];
    sentences.push({ text: inner, elsewhere: inner }, { text: outer });
    const box = `<w:txbxContent><w:p><w:r>${textXml(random, inner)}</w:r></w:p></w:txbxContent>`;
    return `<w:p>${run(outer)}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
  };
  /** A row is one sentence, and precedes the rows of a table in it. Returns its XML and its text. */
  const row = (): [xml: string, shown: string] => {
    const from = sentences.length;
    const take = () => sentences.splice(from);
    const textOf = (cell: typeof sentences) => cell.map(({ text }) => text).join(' ');
    const first = paragraph();
    const left = textOf(take());
    const [inner, within] = random.isSo(0.3) ? table() : ['', ''];
    const others = take();
    const second = paragraph();
    const right = textOf(take());
    const shown = left + within + right;
    sentences.push({ text: `${left} | ${right}`, elsewhere: shown }, ...others);
    return [`<w:tr><w:tc>${first}</w:tc><w:tc>${inner}${second}</w:tc></w:tr>`, shown];
  };
  const table = (): [xml: string, shown: string] => {
    const rows = [row(), row()];
    const xml = rows.map(([each]) => each).join('');
    return [`<w:tbl><w:tblPr/>${xml}</w:tbl>`, rows.map(([, shown]) => shown).join('')];
  };
  const item = () => paragraph('<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>');
  const control = () => `<w:sdt><w:sdtContent>${paragraph()}</w:sdtContent></w:sdt>`;
  const code = '<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr></w:p>';
  return {
    ...{ sentences, footnotes, ownComments },
    add() {
      const kinds = [paragraph, paragraph, withNote, withBox, () => table()[0], item, control, () => code];
      blocks.push(random.pick(...kinds)());
    },
    finish: () => blocks.join(random.pick('', '\n')),
  };
}

/** Never cuts within a surrogate pair. */
function cutAt(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at;
}

function textXml(random: Random, text: string): string {
  const kind = random.below(8);
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (kind === 0) return `<w:t xml:space="preserve"><![CDATA[${text}]]></w:t>`;
  if (kind === 1) return `<w:t xml:space='preserve' >${escaped.replaceAll('e', '&#x65;')}</w:t>`;
  if (kind > 2) return `<w:t xml:space="preserve">${escaped}</w:t>`;
  const cut = cutAt(text, text.length >> 1);
  const [left, right] = [text.slice(0, cut), text.slice(cut)].map((half) =>
    half.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  );
  return `<w:t xml:space="preserve">${left}</w:t><w:lastRenderedPageBreak/><w:t xml:space="preserve">${right}</w:t>`;
}
