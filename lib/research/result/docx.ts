import type { FileChild, ParagraphChild } from 'docx';
import { partLabel } from '../../api-contract/part-label.ts';
import { pathWithLines } from '../../api-contract/shown-place.ts';
import type { Report } from '../schema.ts';
import { type Footnote, type LaidOut, type LaidOutSentence, layOut } from './lay-out.ts';

type Docx = typeof import('docx');

const MARK_COLOR = '8A4B00';
const QUIET = '5F5D57';

/** Returns a report as a Word document, with the quotes as native footnotes. */
export async function toDocx(report: Report): Promise<Buffer> {
  const docx = await import('docx'); // large, and needed only here
  const laidOut = layOut(report);
  const file = new docx.Document({
    title: laidOut.title,
    subject: laidOut.question ?? laidOut.title,
    description: laidOut.counts,
    creator: 'Workspace Research Service',
    styles: {
      default: { document: { run: { font: fontOf(laidOut), size: 22, language: languageOf(laidOut) } } },
    },
    footnotes: Object.fromEntries(
      laidOut.footnotes.map((note) => [note.number, { children: showFootnote(docx, note, laidOut) }]),
    ),
    sections: [{ children: showBody(docx, laidOut) }],
  });
  return docx.Packer.toBuffer(file);
}

function fontOf({ words }: LaidOut) {
  return { ascii: 'Calibri', hAnsi: 'Calibri', eastAsia: words.space === '' ? 'SimSun' : 'Calibri' };
}

function languageOf({ language }: LaidOut) {
  return /^zh/i.test(language) ? { value: 'en-US', eastAsia: 'zh-CN' } : { value: language };
}

function showBody(docx: Docx, laidOut: LaidOut): FileChild[] {
  const { title, question, day, counts, sections, disagreements, openQuestions, leftOut, sources, words } =
    laidOut;
  const show = sentenceShower(docx, words.space);
  const listed = (heading: string, items: ParagraphChild[][]) =>
    items.length === 0 ? [] : [headingOf(docx, heading), ...items.map((item) => bullet(docx, item))];
  const linked = (text: string, url?: string) =>
    url === undefined ? plain(docx, text) : link(docx, text, url);
  return [
    new docx.Paragraph({ heading: docx.HeadingLevel.TITLE, children: [plain(docx, title)] }),
    ...(question === undefined
      ? []
      : [new docx.Paragraph({ children: [new docx.TextRun({ text: question, italics: true })] })]),
    new docx.Paragraph({ children: [new docx.TextRun({ text: `${day} · ${counts}`, color: QUIET })] }),
    ...sections.flatMap(({ heading, paragraphs }) => [
      headingOf(docx, heading),
      ...paragraphs.map(
        (sentences) => new docx.Paragraph({ spacing: { after: 160 }, children: sentences.flatMap(show) }),
      ),
    ]),
    ...listed(
      words.disagree,
      disagreements.map((pair) =>
        pair.flatMap((claim, at) => [
          ...(at === 0 ? [] : [plain(docx, `— ${words.saysOtherwise} — `)]),
          ...show(claim),
        ]),
      ),
    ),
    ...listed(
      words.openQuestions,
      openQuestions.map((one) => [plain(docx, one)]),
    ),
    ...listed(
      words.sources,
      sources.map(({ text, url, separator, details }) => [
        linked(text, url),
        plain(docx, separator + details),
      ]),
    ),
    ...listed(
      words.leftOut,
      leftOut.map(({ title: name, url, reason }) => [linked(name, url), plain(docx, `: ${reason}`)]),
    ),
  ];
}

function plain(docx: Docx, text: string) {
  return new docx.TextRun({ text });
}

function link(docx: Docx, text: string, url: string) {
  return new docx.ExternalHyperlink({
    link: url,
    children: [new docx.TextRun({ text, style: 'Hyperlink' })],
  });
}

function headingOf(docx: Docx, text: string) {
  return new docx.Paragraph({ heading: docx.HeadingLevel.HEADING_1, children: [plain(docx, text)] });
}

function bullet(docx: Docx, children: ParagraphChild[]) {
  return new docx.Paragraph({ bullet: { level: 0 }, children });
}

/**
 * Returns a function that shows sentences. Word counts references rather than notes, so a repeated citation
 * is a cross-reference to the first one. Its number is updated when someone adds a footnote.
 */
function sentenceShower(docx: Docx, space: string) {
  const used = new Set<number>();
  const marker = (number: number): ParagraphChild[] => {
    if (used.has(number)) return crossReference(docx, number);
    used.add(number);
    return [new docx.Bookmark({ id: bookmarkOf(number), children: [new docx.FootnoteReferenceRun(number)] })];
  };
  return ({ text, notes, mark }: LaidOutSentence): ParagraphChild[] => [
    new docx.TextRun({ text: text.trim(), ...(mark === undefined ? {} : { highlight: 'yellow' }) }),
    ...notes.flatMap((number, at) => [
      ...(at === 0 ? [] : [new docx.TextRun({ text: ', ', superScript: true })]),
      ...marker(number),
    ]),
    ...(mark === undefined ? [] : [new docx.TextRun({ text: ` ⚠ ${mark}`, bold: true, color: MARK_COLOR })]),
    plain(docx, space),
  ];
}

function bookmarkOf(number: number): string {
  return `_RefNote${number}`;
}

/**
 * Returns a field that consists of several runs. A reader that doesn't support the field shows its result,
 * whereas it would drop a simple field.
 */
function crossReference(docx: Docx, number: number): ParagraphChild[] {
  class Element extends docx.XmlComponent {
    constructor(name: string, ...content: (string | object)[]) {
      super(name);
      this.root.push(...(content as typeof this.root));
    }
  }
  const bound = (type: string) =>
    new Element('w:r', new Element('w:fldChar', { _attr: { 'w:fldCharType': type } }));
  const instruction = ` NOTEREF ${bookmarkOf(number)} \\f \\h `;
  return [
    bound('begin'),
    new Element('w:r', new Element('w:instrText', { _attr: { 'xml:space': 'preserve' } }, instruction)),
    bound('separate'),
    new docx.TextRun({ text: `${number}`, superScript: true }),
    bound('end'),
  ] as ParagraphChild[];
}

function showFootnote(docx: Docx, { evidence, source, url }: Footnote, { words }: LaidOut) {
  const { quote, verified } = evidence;
  const where = [source, url, pathWithLines(evidence), partLabel(evidence)].filter(Boolean).join(', ');
  const shown = quote
    .split(/\r\n|[\n\r]/)
    .map((text, at) => new docx.TextRun({ text, italics: true, ...(at === 0 ? {} : { break: 1 }) }));
  return [
    new docx.Paragraph({ children: [plain(docx, verified ? where : `${where} (${words.notFound})`)] }),
    new docx.Paragraph({ children: shown }),
  ];
}
