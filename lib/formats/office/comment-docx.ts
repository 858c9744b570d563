import { posix } from 'node:path';
import { beginning } from '../../text/cut-text.ts';
import { randomTag } from '../../text/random-tag.ts';
import { lineAt } from '../lines.ts';
import { broken, type ZipReader } from './archive.ts';
import { docx } from './docx.ts';
import { replaceEntries } from './replace-entries.ts';
import type { WordDocument } from './word-document.ts';
import type { PlacedAnchor } from './word-paragraphs.ts';
import {
  appendToRoot,
  encodeXml,
  escapeXml,
  type Insertion,
  insertInto,
  namespaceOf,
  readXmlPart,
  type XmlPart,
} from './xml-part.ts';

/** A Word document with its text, and the places in the XML of its main entry where a comment may start and end. */
export interface AnchoredWord extends WordDocument {
  text: string;
  /**
   * In order, without repetitions. Positions in the XML are counted from its first character after a byte
   * order mark.
   */
  anchors: PlacedAnchor[];
}

/** A comment on a range of the document's text. */
export interface WordComment {
  start: number;
  end: number;
  text: string;
  author?: string;
}

const TITLE = docx.title;
const AUTHOR = 'Workspace Research Service';
const CONTENT_TYPES = '[Content_Types].xml';
const COMMENTS_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const WITH_ID = ['comment', 'commentRangeStart', 'commentRangeEnd', 'commentReference'];
const STRICT = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
const MAX_QUOTE = 200;

/**
 * Adds comments to the bytes of a Word document, and changes nothing else. `at` is the time of the comments.
 * Runs aren't split: a comment surrounds all runs that contain its text, and starts with a quote if these
 * have more text.
 */
export async function commentDocx(
  engine: ZipReader,
  bytes: Uint8Array,
  draft: AnchoredWord,
  { comments, at }: { comments: WordComment[]; at: Date },
): Promise<Uint8Array> {
  if (comments.length === 0) return bytes;
  const body = await readPart(draft, draft.main);
  const stored = await findComments(draft);
  const own = [...body.ids, ...(stored.part?.ids ?? [])];
  const first = own.reduce((most, id) => Math.max(most, id), -1) + 1;
  const starts = draft.anchors.map(({ at }) => at);
  const placed = comments.map((comment, at) => placeComment(draft, starts, comment, first + at));
  const contents = new Map<string, Uint8Array>();
  const put: Put = ({ encoding }, name, source) => contents.set(name, encodeXml(source, encoding));
  put(body, draft.main, withAnchors(body, placed));
  const write = (declared: string) => placed.map((one) => commentXml(one, at, declared)).join('');
  if (stored.part !== undefined)
    put(stored.part, stored.name, appendToRoot(stored.part, write(declarationIn(stored.part))));
  else {
    const namespace = wordNamespace(body);
    const source = `${DECLARATION}<w:comments xmlns:w="${namespace}">${write('')}</w:comments>`;
    put({ encoding: 'utf-8' }, stored.name, source);
    await declarePart(draft, stored, namespace, put);
  }
  return replaceEntries(engine, bytes, contents, TITLE);
}

/**
 * Throws Unreadable for a document to which no comment can be added, so that its author learns that before
 * the check.
 */
export async function requireCommentable(draft: AnchoredWord): Promise<void> {
  const namespace = wordNamespace(await readPart(draft, draft.main));
  const stored = await findComments(draft);
  if (stored.part === undefined) await declarePart(draft, stored, namespace, () => {});
  else wordNamespace(stored.part);
}

async function readPart({ archive }: AnchoredWord, name: string): Promise<XmlPart> {
  const bytes = Buffer.concat(await Array.fromAsync(archive.read(name)));
  return readXmlPart(bytes, TITLE, WITH_ID);
}

function wordNamespace(body: XmlPart): string {
  const namespace = namespaceOf(body, body.root.prefix);
  if (namespace === undefined) throw broken(TITLE);
  return namespace;
}

interface StoredComments {
  name: string;
  /** Absent if the document has no comments. */
  part: XmlPart | undefined;
  isRelated: boolean;
}

/**
 * Finds the part with the author's comments by its relationship. If there is none, picks a name that no part
 * has.
 */
async function findComments(draft: AnchoredWord): Promise<StoredComments> {
  const related = draft.relationships.find(({ type }) => type === 'comments')?.entry;
  const name = related ?? newName(draft);
  const part = draft.archive.has(name) ? await readPart(draft, name) : undefined;
  return { name, part, isRelated: related !== undefined };
}

/** Some readers look only for this name. */
function newName({ archive, main }: AnchoredWord): string {
  const common = posix.join(posix.dirname(main), 'comments.xml');
  const isTaken = archive.names().some((name) => name.toLowerCase() === common.toLowerCase());
  return isTaken ? common.replace('.xml', `-${randomTag()}.xml`) : common;
}

type Put = (part: Pick<XmlPart, 'encoding'>, name: string, source: string) => void;

/** Adds the new part to the document's content types and relationships. */
async function declarePart(
  draft: AnchoredWord,
  stored: StoredComments,
  namespace: string,
  put: Put,
): Promise<void> {
  const types = await readPart(draft, CONTENT_TYPES);
  if (!isDeclared(types, stored.name)) {
    const override = `<Override${inPackage(types, 'content-types')} PartName="/${escapeXml(stored.name)}" ContentType="${COMMENTS_TYPE}"/>`;
    put(types, CONTENT_TYPES, appendToRoot(types, override));
  }
  if (stored.isRelated) return;
  const { dir, base } = posix.parse(draft.main);
  const name = posix.join(dir, '_rels', `${base}.rels`);
  const rels = draft.archive.has(name)
    ? await readPart(draft, name)
    : readXmlPart(Buffer.from(`${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"/>`), TITLE);
  const office =
    namespace === STRICT
      ? 'http://purl.oclc.org/ooxml/officeDocument'
      : 'http://schemas.openxmlformats.org/officeDocument/2006';
  const type = `${office}/relationships/comments`;
  const target = escapeXml(posix.basename(stored.name));
  const relationship = `<Relationship${inPackage(rels, 'relationships')} Id="rId-${randomTag()}" Type="${type}" Target="${target}"/>`;
  put(rels, name, appendToRoot(rels, relationship));
}

/** Returns the name with a namespace for an element without a prefix, if the root has a prefix. */
function inPackage({ root }: XmlPart, name: string): string {
  return root.prefix === '' ? '' : ` xmlns="${PACKAGE}/${name}"`;
}

/** OPC compares names without case. */
function isDeclared({ source }: XmlPart, name: string): boolean {
  const names = [...source.matchAll(/\sPartName\s*=\s*["']([^"']*)/g)].map(([, found = '']) => found);
  return names.some((found) => found.toLowerCase() === `/${escapeXml(name)}`.toLowerCase());
}

interface PlacedComment extends WordComment {
  id: number;
  /** The start and end in the XML. */
  from: number;
  to: number;
  /** Absent if the location alone shows the subject of the comment. */
  quote?: string;
}

/** `starts` has the start of each anchor in the text. */
function placeComment(
  { text, anchors }: AnchoredWord,
  starts: number[],
  comment: WordComment,
  id: number,
): PlacedComment {
  const { start, end } = comment;
  if (!(start >= 0 && start < end && end <= text.length))
    throw new RangeError(`no text from ${start} to ${end}`);
  const [first, after] = [lineAt(starts, start) - 1, lineAt(starts, end - 1)];
  const own = anchors.slice(first, after);
  const from = own.reduce((least, { anchor }) => Math.min(least, anchor.start), Number.POSITIVE_INFINITY);
  const to = own.reduce((most, { anchor }) => Math.max(most, anchor.end), 0);
  const sentence = text.slice(start, end).trim();
  const covered = text.slice(starts[first], starts[after]).trim();
  const isExact = covered === sentence && !own.some(({ isNote }) => isNote);
  return { ...comment, id, from, to, ...(!isExact && { quote: shorten(sentence) }) };
}

function shorten(sentence: string): string {
  const line = sentence.replace(/\s+/g, ' ');
  return line.length > MAX_QUOTE ? `${beginning(line, MAX_QUOTE).trimEnd()}…` : line;
}

function withAnchors(body: XmlPart, placed: PlacedComment[]): string {
  const { source } = body;
  const declared = declarationIn(body);
  // The reader doesn't count the byte order mark.
  const mark = source.startsWith('\ufeff') ? 1 : 0;
  const starts: Insertion[] = [];
  const ends: Insertion[] = [];
  for (const { id, from, to } of placed) {
    // After a processing instruction, the parser reports the position of its end.
    const [start, end] = [source.indexOf('<', from + mark), to + mark];
    if (start === -1 || end <= start || source[end - 1] !== '>') throw broken(TITLE);
    starts.push({ at: start, xml: `<w:commentRangeStart${declared} w:id="${id}"/>` });
    const reference = `<w:r${declared}><w:commentReference w:id="${id}"/></w:r>`;
    ends.push({ at: end, xml: `<w:commentRangeEnd${declared} w:id="${id}"/>${reference}` });
  }
  return insertInto(source, [...ends, ...starts]);
}

/** Declares the prefix `w` in an element if the root doesn't declare it, or may use it for something else. */
function declarationIn(part: XmlPart): string {
  const namespace = wordNamespace(part);
  const isKnown = namespaceOf(part, 'w') === namespace && part.source.split(/\bxmlns:w\s*=/).length === 2;
  return isKnown ? '' : ` xmlns:w="${namespace}"`;
}

function commentXml({ id, author = AUTHOR, text, quote }: PlacedComment, at: Date, declared: string): string {
  const date = at.toISOString().replace(/\.\d+Z$/, 'Z');
  const initials = (author.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu) ?? []).join('').slice(0, 3);
  const lines = text.split(/\r\n|[\n\r]/).map((line) => runXml(line));
  const [first = '', ...others] =
    quote === undefined ? lines : [runXml(`“${quote}”`, '<w:rPr><w:i/></w:rPr>'), ...lines];
  const paragraphs = [`<w:r><w:annotationRef/></w:r>${first}`, ...others].map((each) => `<w:p>${each}</w:p>`);
  return `<w:comment${declared} w:id="${id}" w:author="${escapeXml(author)}" w:date="${date}" w:initials="${escapeXml(initials)}">${paragraphs.join('')}</w:comment>`;
}

function runXml(text: string, properties = ''): string {
  return `<w:r>${properties}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;
}
