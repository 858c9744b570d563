import { type Assessment, readAssessment } from './assessment.ts';
import { wordFindings } from './finding-words.ts';
import { flat } from './flat.ts';
import { asCode } from './inline-code.ts';
import { type LabeledPart, partLabel } from './part-label.ts';
import {
  FOUND,
  type ListedSource,
  lineWords,
  NO_QUOTE,
  remarkFor,
  SOURCES,
  withSourceList,
} from './source-list.ts';
import { SUPPORTS, type Support } from './support.ts';
import { JUDGE_WORDS } from './support-words.ts';

export interface NoteSource extends Assessment {
  index: number;
  path: string;
  startLine: number;
  endLine: number;
  /** For example, `page 3` or `slide 2`, for files without lines of their own. */
  place?: { kind: 'page' | 'slide' | 'sheet' | 'cell'; at: string } | undefined;
  quote: string;
  /** Undefined if the note doesn't state it, as for notes from a report or a person. */
  support?: Support | undefined;
  /** Present if the service, not the model, cited it. */
  origin?: 'service' | undefined;
  /** True if no text of the file matched the sentence. */
  isMissing?: boolean | undefined;
}

/** A note for display. Its numbers are citations, and its sources are a separate list. */
export interface ReadNote {
  text: string;
  citations: NoteSource[];
}

const HEADING = `\n\n## ${SOURCES}\n\n`;
const ENTRY = /^- \[(\d{1,3})\] /;
/** Matches the lines of a location. In a copied answer, they are in the console's language. */
const LINES = /, lines? (\d{1,9})(?:[-–](\d{1,9}))?$/i;
const PART = /, (page|slide|sheet|cell) ([^,(]{1,200})/i;
/** Maps the remark about an entry's quote to the support that it means. */
const OF_REMARK: Record<string, Support> = {
  ...Object.fromEntries(SUPPORTS.map((support) => [remarkFor(support), support])),
  'no longer found there': 'none',
  [NO_QUOTE]: 'none',
};
const REMARK = new RegExp(` \\((${Object.keys(OF_REMARK).join('|')})\\)$`, 'i');
const MISSING = /found there$/i;
const FOOTNOTE = /^\[\^(\d{1,3})\]: (.*)$/;
const AT_LINES = /:(\d{1,9})(?:-(\d{1,9}))?$/;
/** A warning in the report's language. */
const WARNING = / \([^()]{1,100}\)$/;

/**
 * Reads the two formats in which the service writes sources: a list at the end, and footnotes. Anything else stays
 * text.
 */
export function readNote(content: string): ReadNote {
  const listed = readList(content);
  const noted = readFootnotes(listed.text);
  const known = new Map([...listed.citations, ...noted.citations].map((each) => [each.index, each]));
  return { text: noted.text, citations: [...known.values()].sort((a, b) => a.index - b.index) };
}

function readList(content: string): ReadNote {
  const at = content.lastIndexOf(HEADING);
  if (at < 0) return { text: content, citations: [] };
  const citations: NoteSource[] = [];
  for (const line of content
    .slice(at + HEADING.length)
    .trimEnd()
    .split('\n')) {
    const last = citations.at(-1);
    const entry = readEntry(line);
    if (entry !== undefined) citations.push(entry);
    else if (last?.quote === '' && readKnown(line, last)) continue;
    else if (last !== undefined && line.startsWith('  >')) last.quote += `\n${line.slice(4)}`;
    else return { text: content, citations: [] };
  }
  for (const each of citations) each.quote = each.quote.trim();
  return { text: content.slice(0, at), citations };
}

/** Reads an entry such as `- [1] \`path\`, page 3, lines 3-5`. */
function readEntry(line: string): NoteSource | undefined {
  const number = ENTRY.exec(line)?.[1];
  const [remark = '', words] = REMARK.exec(line.slice(-60)) ?? [];
  const where = line.slice(0, line.length - remark.length);
  const lines = LINES.exec(where.slice(-30));
  const code = codeIn(where);
  if (number === undefined || code === undefined || (lines === null && !PART.test(code.after)))
    return undefined;
  const isMissing = words !== undefined && MISSING.test(words);
  const entry = citationOf(number, { path: code.text, part: code.after, lines, isMissing });
  return words === undefined ? entry : { ...entry, support: OF_REMARK[words.toLowerCase()] };
}

/**
 * The delimiters of an entry's data, in a comment that Markdown doesn't show. The text below the entry says
 * the same.
 */
const [DATA, DATA_END] = ['<!-- ', ' -->'];

/**
 * Adds the support to an entry. Returns true for the entry's data and the text that repeats it. A person
 * wrote the other lines.
 */
function readKnown(line: string, entry: NoteSource): boolean {
  const text = line.slice(2);
  const isData = line.startsWith(`  ${DATA}`) && line.endsWith(DATA_END);
  if (!isData) return line.startsWith('  ') && reasonsOf(entry).includes(text);
  try {
    const data = JSON.parse(text.slice(DATA.length, -DATA_END.length)) as Record<string, unknown>;
    const support = SUPPORTS.find((each) => each === data.support);
    // A moved quote has no judgment.
    const isSame = support !== undefined && remarkFor(support) === remarkOf(entry);
    const found = data.origin === 'service' && { origin: data.origin };
    Object.assign(entry, isSame && { support }, found, readAssessment(data));
    return true;
  } catch {
    return false;
  }
}

function reasonsOf({ support, isMissing, by, reason = '', findings, checks, origin }: NoteSource): string[] {
  const isKnown = [by, findings, checks, origin].some((each) => each !== undefined);
  if (isMissing || support === undefined || !isKnown) return [];
  const judge = by === undefined || by === 'code' ? undefined : `${JUDGE_WORDS.en[by]} ${flat(reason)}`;
  const known = { support, by, findings, checks, origin, ...(judge && { reason: flat(reason) }) };
  const data = JSON.stringify(known).replaceAll('<', String.raw`\u003c`).replaceAll('>', String.raw`\u003e`);
  const words = wordFindings(findings ?? [], support).map(flat);
  const found = origin === 'service' ? [`(${FOUND})`] : [];
  return [DATA + data + DATA_END, ...found, ...words, ...(judge === undefined ? [] : [judge.trim()])];
}

/**
 * Returns the last code span in a line, and the text after it. A span's fence is longer than any run of
 * backticks inside.
 */
function codeIn(line: string): { text: string; after: string; start: number } | undefined {
  const fences = [...line.matchAll(/`+/g)];
  const end = fences.pop();
  const begin = fences.findLast(([fence]) => fence === end?.[0]);
  if (begin === undefined || end === undefined) return undefined;
  const text = line.slice(begin.index + begin[0].length, end.index);
  const after = line.slice(end.index + end[0].length);
  return { text: begin[0].length > 1 ? text.trim() : text, after, start: begin.index };
}

function readFootnotes(content: string): ReadNote {
  const citations: NoteSource[] = [];
  const kept: string[] = [];
  let open: NoteSource | undefined;
  for (const line of content.split('\n')) {
    const next = readFootnote(line);
    const belongs = next === undefined && open !== undefined && /^(?: {4}|$)/.test(line);
    if (next !== undefined) citations.push(next);
    else if (belongs) quoteLine(open as NoteSource, line);
    else kept.push(line);
    if (!belongs) open = next;
  }
  for (const each of citations) each.quote = each.quote.trim();
  return { text: withNumbers(kept.join('\n'), citations), citations };
}

/** Adds a line of the quote's code block. The fences aren't part of the quote. */
function quoteLine(citation: NoteSource, line: string): void {
  if (line !== '' && !/^ {4}`{3,}(?:text)?$/.test(line)) citation.quote += `${line.slice(4)}\n`;
}

function withNumbers(text: string, citations: NoteSource[]): string {
  const known = new Set(citations.map(({ index }) => index));
  return text.replace(/\[\^(\d{1,3})\]/g, (whole, number) =>
    known.has(Number(number)) ? `[${number}]` : whole,
  );
}

/** Reads a footnote such as `[^1]: Title. \`path:3-5\`, page 2`. */
function readFootnote(line: string): NoteSource | undefined {
  const [, number, text = ''] = FOOTNOTE.exec(line) ?? [];
  const code = codeIn(text);
  const lines = AT_LINES.exec(code?.text.slice(-30) ?? '');
  if (number === undefined || code === undefined || lines === null) return undefined;
  const path = code.text.slice(0, -lines[0].length);
  return citationOf(number, {
    path,
    part: code.after,
    lines,
    isMissing: WARNING.test(code.after.slice(-120)),
  });
}

interface Place {
  path: string;
  part: string;
  /** Null if only the part is known. */
  lines: RegExpExecArray | null;
  isMissing: boolean;
}

function citationOf(number: string, { path, part, lines, isMissing }: Place): NoteSource {
  const [, from = 1, to = from] = lines ?? [];
  const [, kind, at = ''] = PART.exec(part) ?? [];
  return {
    index: Number(number),
    path,
    startLine: Number(from),
    endLine: Math.max(Number(from), Number(to)),
    ...(kind !== undefined && { place: { kind: kind.toLowerCase() as 'page', at: at.trim() } }),
    quote: '',
    ...(isMissing && { isMissing, support: 'none' }),
  };
}

/**
 * Writes a text with its sources in the format of `readNote()`, for a note made from an answer or a passage.
 * `withLines` is false for a passage of which only the page is known.
 */
export function writeNote({ text, citations }: ReadNote, { withLines = true } = {}): string {
  const sources = citations.map((citation) => listed(citation, withLines));
  return withSourceList(text.replace(/\r\n?/g, '\n').trim(), sources);
}

function listed(citation: NoteSource, withLines: boolean): ListedSource {
  const { index, path, startLine, endLine, place, quote } = citation;
  const part = place && `${place.kind} ${place.at}`;
  const where = [part, withLines && lineWords(startLine, endLine)].filter(Boolean).join(', ');
  return { index, path, where, quote, remark: remarkOf(citation), reasons: reasonsOf(citation) };
}

function remarkOf({ support, isMissing }: NoteSource): string | undefined {
  if (isMissing) return NO_QUOTE;
  if (support === undefined) return undefined;
  return remarkFor(support);
}

interface NewPlace {
  path: string;
  startLine: number;
  endLine: number;
  part: LabeledPart;
  /** True if the file was only moved. If it was changed, the quote isn't judged. */
  isSameFile: boolean;
}

/**
 * Returns the note with a new location for one source. Its file was moved, or its quote was found elsewhere.
 */
export function moveSource(content: string, { index, path }: { index: number; path: string }, to: NewPlace) {
  const isIt = (source: NoteSource | undefined) => source?.index === index && source.path === path;
  const lines = content.split('\n').map((line) => {
    if (isIt(readEntry(line))) return moveEntry(line, index, to);
    return isIt(readFootnote(line)) ? moveFootnote(line, to) : line;
  });
  return lines.join('\n');
}

function moveEntry(line: string, index: number, to: NewPlace): string {
  const { path, startLine, endLine, part, isSameFile } = to;
  const where = [partLabel(part), lineWords(startLine, endLine)].filter(Boolean).join(', ');
  const known = REMARK.exec(line.slice(-60))?.[0] ?? '';
  const remark = isSameFile ? known : known.replace(` (${remarkFor('full')})`, ` (${remarkFor('unjudged')})`);
  return `- [${index}] ${asCode(path)}, ${where}${remark}`;
}

/** Keeps the text before the location, which is the source's title, and updates the link if there is one. */
function moveFootnote(line: string, { path, startLine, endLine, part }: NewPlace): string {
  const code = codeIn(line);
  const isLinked = code?.after.startsWith('](<') === true;
  const head = line.slice(0, (code?.start ?? 0) - (isLinked ? 1 : 0));
  const shown = asCode(`${path}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`);
  const address = fileUrl({ path, startLine, endLine, page: part.page });
  const linked = isLinked ? `[${shown}](<${address}>)` : shown;
  return head + [linked, partLabel(part)].filter(Boolean).join(', ');
}

interface FilePlace {
  path: string;
  startLine: number;
  endLine: number;
  page?: number | undefined;
}

/** Returns the URL of a location in a file. It is relative, so no part of a path can become a scheme. */
export function fileUrl({ path, page, startLine, endLine }: FilePlace): string {
  const place =
    page === undefined ? `L${startLine}${endLine === startLine ? '' : `-L${endLine}`}` : `page=${page}`;
  const steps = path
    .split('/')
    .map((step) => encodeURIComponent(step.toWellFormed()).replace(/[()'!*]/g, hexOf));
  return `./${steps.join('/')}#${place}`;
}

function hexOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
