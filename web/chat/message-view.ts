import { ENDINGS, type Ending, WAITING } from '../../lib/api-contract/answer-notices.ts';
import { readAssessment } from '../../lib/api-contract/assessment.ts';
import { markFound } from '../../lib/api-contract/found-sources.ts';
import type { NoteSource } from '../../lib/api-contract/note-sources.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { SUPPORTS, type Support } from '../../lib/api-contract/support.ts';
import type { Stretch } from '../parts/markdown/uncited.ts';
import { readFilePart, type ShownFile } from './attachments.ts';

/**
 * Messages of the stream, parsed for display. Parts are untrusted, so malformed ones are omitted without an
 * error. Everything here is pure, so it is tested without a browser.
 */
export interface Citation extends NoteSource {
  /** The workspace of the file, in an answer from several workspaces. */
  workspaceId?: string | undefined;
  /** The title of its document, if more than the file name is known. */
  title?: string | undefined;
  /** The web page that the service saved as the file. */
  page?: { url: string; fetchedAt: string } | undefined;
  /** True if the file has changed since it was indexed. */
  isStale?: boolean | undefined;
  /** The hash of the file's version with the quote. */
  fileHash?: string | undefined;
  /** Why the file no longer has the quote, or must not be relied on. */
  lost?: Schemas['BrokenCitation']['reason'] | 'updated' | undefined;
  /** The current location of the quote. */
  now?: Schemas['CitationNow']['place'];
  /** Further parts of the file with facts of the sentence. */
  further?: QuotedPiece[] | undefined;
  /** The sentences that cite the source, each with its own quote and support. Only if there are several. */
  claims?: CitedClaim[] | undefined;
  /** The sentences for which the service found the source, with their positions in the model's text. */
  sentences?: Stretch[] | undefined;
  /** The position of its sentence among those that cite the source, from 1. By default, the first one. */
  nth?: number | undefined;
}

type QuotedPiece = Pick<Citation, 'quote' | 'startLine' | 'endLine' | 'place'>;

interface CitedClaim
  extends Pick<
    Citation,
    | 'startLine'
    | 'endLine'
    | 'place'
    | 'quote'
    | 'further'
    | 'support'
    | 'isMissing'
    | 'reason'
    | 'by'
    | 'findings'
    | 'checks'
    | 'lost'
    | 'now'
  > {
  /** The sentence as compared by the service. */
  text: string;
}

export interface Notice {
  code: string;
  text: string;
  /** Code of the error that ended the answer. */
  cause?: string;
  /** How an incomplete answer ended without a failure. */
  ending?: Ending;
}

/** The service's reasons for an answer from keyword search only. */
const KEYWORD_REASONS = {
  'The embedding service failed, so only keyword search was used.': 'failed',
  'The index was built without the current embedding model, so only keyword search was used. Re-index the workspace.':
    'other-index',
} as const;

export function keywordReason({ text }: Notice) {
  return Object.entries(KEYWORD_REASONS).find(([said]) => said === text)?.[1];
}

/** The only sign that a person stopped an answer. */
const STOPPED = 'The answer was stopped.';

/** Returns who or what ended an answer: nothing unusual, a person, the model, or another reason. */
export function endingOf({ code, text, ending }: Notice): 'stopped' | 'cut' | Ending | undefined {
  if (text === STOPPED) return 'stopped';
  return ending ?? (code === 'answer-cut' ? 'cut' : undefined);
}

/** Notices about answers that look complete or done, but aren't. */
const WARNINGS = ['no-progress', 'no-tool-calls', 'prompt-cut', 'web-pages-not-saved', 'web-search-failed'];

export function lookOf(notice: Notice): 'calm' | 'warn' {
  const ending = endingOf(notice);
  const isPart = ending !== undefined && ending !== 'stopped';
  return isPart || WARNINGS.includes(notice.code) ? 'warn' : 'calm';
}

/** Returns whether the model can continue where the answer ended. */
export function canContinue({ text, notices }: MessageView): boolean {
  const ends = ['stopped', 'cut', 'length'];
  return text.trim() !== '' && notices.some((notice) => ends.includes(endingOf(notice) ?? ''));
}

export interface MessageView {
  /** The text, with a number after each sentence for which the service found a source. */
  text: string;
  /** The model's reasoning before the text. */
  thoughts: string;
  /** Number of tokens that the model reads before its first token. */
  waiting: number | undefined;
  /** Maps a position in the model's text to `text`. */
  placeOf: (place: number) => number;
  citations: Citation[];
  notices: Notice[];
  files: ShownFile[];
}

export type Part = { type: string } & Record<string, unknown>;

const PLACES = ['page', 'slide', 'sheet', 'cell'] as const;

export function viewOfMessage(parts: readonly Part[]): MessageView {
  const { text, thoughts } = saidIn(parts);
  const citations = new Map<number, Citation>();
  const notices = new Map<string, Notice>();
  for (const data of judgedCitations(parts)) {
    const citation = readCitation(data);
    if (citation !== undefined) citations.set(citation.index, citation);
  }
  for (const part of parts) {
    const notice = part.type === 'data-notice' ? readNotice(part.data) : undefined;
    if (notice !== undefined && notice.code !== WAITING)
      notices.set(`${notice.code} ${notice.text}`, { ...notice, ...causeOf(notice, parts) });
  }
  const sorted = [...citations.values()].sort((a, b) => a.index - b.index);
  const files = parts.flatMap((part) => readFilePart(part) ?? []);
  const marked = markFound(text, sorted);
  return {
    ...{ ...marked, thoughts, waiting: waitingIn(parts) },
    ...{ citations: sorted, notices: [...notices.values()], files },
  };
}

/** Returns the text and the reasoning. `data-thought` means that the text before it is reasoning too. */
function saidIn(parts: readonly Part[]): Pick<MessageView, 'text' | 'thoughts'> {
  const taken = parts.findLastIndex(({ type }) => type === 'data-thought');
  const textsOf = (isThought: boolean) =>
    parts.flatMap(({ type, text }, at) => {
      const isSaid = type === 'reasoning' || type === 'text';
      const isHidden = type === 'reasoning' || at < taken;
      return isSaid && isHidden === isThought && typeof text === 'string' ? [text] : [];
    });
  return { text: textsOf(false).join('\n\n'), thoughts: textsOf(true).join('\n\n') };
}

/** Returns the number of tokens in a notice about a model that is still reading. */
export function readTokens(data: unknown): number | undefined {
  return isRecord(data) && data.code === WAITING && typeof data.tokens === 'number' ? data.tokens : undefined;
}

function waitingIn(parts: readonly Part[]): number | undefined {
  const said = parts.some(({ type }) => type === 'text' || type === 'reasoning');
  return said
    ? undefined
    : parts.map(({ data }) => readTokens(data)).findLast((tokens) => tokens !== undefined);
}

/** Returns why an answer was interrupted, as stored next to the notice. */
function causeOf(notice: Notice, parts: readonly Part[]): Pick<Notice, 'cause'> {
  const found = parts.find(({ type }) => type === 'data-error')?.data;
  const isKnown = endingOf(notice) === 'cut' && isRecord(found) && typeof found.code === 'string';
  return isKnown ? { cause: found.code as string } : {};
}

/** The cited passages of a file. */
interface CitedFile extends Pick<Citation, 'workspaceId' | 'path'> {
  passages: Citation[];
}

/** Groups citations by file, both in the order of their numbers. */
export function groupByFile(citations: readonly Citation[]): CitedFile[] {
  const files = Map.groupBy(citations, ({ workspaceId = '', path }) => `${workspaceId}/${path}`);
  return [...files.values()].map((passages) => {
    const [{ workspaceId, path }] = passages as [Citation];
    return { workspaceId, path, passages };
  });
}

/** Returns citations with the model's later judgments. A stored answer contains both. */
function judgedCitations(parts: readonly Part[]): unknown[] {
  const dataOf = (type: string) =>
    parts.flatMap((part) => (part.type === type && isRecord(part.data) ? [part.data] : []));
  const judgments = new Map(
    dataOf('data-citation-support').flatMap(({ id, claims, ...judged }) =>
      isSupport(judged.support) ? [[id, { ...judgmentIn(judged), claims }]] : [],
    ),
  );
  return dataOf('data-citation').map((data) => {
    const { claims, ...judged } = judgments.get(String(data.index)) ?? {};
    return { ...data, ...judged, claims: judgedClaims(data.claims, claims) };
  });
}

/** Returns judged claims. The claims in `data-citation-support` are in the same order. */
function judgedClaims(claims: unknown, judged: unknown): unknown {
  if (!Array.isArray(claims) || !Array.isArray(judged)) return claims;
  return claims.map((claim: unknown, at) => {
    const own: unknown = judged[at];
    return isRecord(claim) && isRecord(own) && isSupport(own.support)
      ? { ...claim, ...judgmentIn(own) }
      : claim;
  });
}

/** Returns a judgment. Code's findings about the sentence stay unless the judgment has its own. */
function judgmentIn({ support, reason, judged, by, findings }: Record<string, unknown>) {
  return { support, reason, judged, by, ...(findings !== undefined && { findings }) };
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function isSupport(value: unknown): value is Support {
  return SUPPORTS.some((each) => each === value);
}

function readCitation(data: unknown): Citation | undefined {
  if (!isRecord(data)) return undefined;
  const { index, path, title, stale, claims, fileHash } = data;
  if (typeof index !== 'number' || typeof path !== 'string') return undefined;
  const found = readFound(data);
  const several = Array.isArray(claims) ? claims.flatMap((each) => readClaim(each) ?? []) : [];
  return {
    ...{ index, path, ...workspaceIn(data), ...found },
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(typeof fileHash === 'string' && fileHash !== '' && { fileHash }),
    ...pageIn(data),
    ...(stale === true && !found.isMissing && { isStale: true }),
    ...(several.length > 0 && { claims: several }),
    ...(data.origin === 'service' && { origin: data.origin, sentences: readStretches(data.sentences) }),
  };
}

function pageIn({ source }: Record<string, unknown>): Pick<Citation, 'page'> {
  if (!isRecord(source) || typeof source.url !== 'string') return {};
  return { page: { url: source.url, fetchedAt: String(source.fetchedAt) } };
}

function workspaceIn({ workspaceId }: Record<string, unknown>): Pick<Citation, 'workspaceId'> {
  return typeof workspaceId === 'string' ? { workspaceId } : {};
}

function readClaim(data: unknown): CitedClaim | undefined {
  return isRecord(data) && typeof data.text === 'string'
    ? { text: data.text, ...readFound(data) }
    : undefined;
}

/** Returns the location, the quote, and the support of a citation, or of one of its sentences. */
function readFound(data: Record<string, unknown>): Omit<CitedClaim, 'text'> {
  const { quotes, support } = data;
  const piece = readPiece(data);
  const isQuoted = piece.quote !== '';
  const further = Array.isArray(quotes) ? quotes.slice(1).filter(isRecord).map(readPiece) : [];
  return {
    ...piece,
    ...(further.length > 0 && { further: further.filter(({ quote }) => quote !== '') }),
    support: supportOf(support, isQuoted),
    ...(!isQuoted && { isMissing: true }),
    ...readAssessment(data),
  };
}

function readPiece(data: Record<string, unknown>): QuotedPiece {
  const { startLine, endLine, quote } = data;
  const first = lineOr(startLine, 1);
  const place = readPlace(data);
  return {
    startLine: first,
    endLine: Math.max(first, lineOr(endLine, first)),
    ...(place && { place }),
    quote: typeof quote === 'string' ? quote : '',
  };
}

/** An unknown state counts as not judged. */
function supportOf(value: unknown, isQuoted: boolean): Citation['support'] {
  if (!isQuoted) return 'none';
  return isSupport(value) ? value : 'unjudged';
}

/** Returns the sentences in `messageMetadata.uncited`, with their positions in the text of a view. */
export function readUncited(metadata: unknown, { placeOf }: Pick<MessageView, 'placeOf'>): Stretch[] {
  const listed = isRecord(metadata) ? readStretches(metadata.uncited) : [];
  return listed.map(({ start, end }) => ({ start: placeOf(start), end: placeOf(end) }));
}

function readStretches(listed: unknown): Stretch[] {
  return (Array.isArray(listed) ? listed : []).flatMap((each: unknown) => {
    if (!isRecord(each)) return [];
    const { start, end } = each;
    return isPlace(start) && isPlace(end) && start < end ? [{ start, end }] : [];
  });
}

/** Returns `messageMetadata.passages`: the locations of the model's passages, in order. */
export function readGiven(metadata: unknown): Citation[] {
  const listed = isRecord(metadata) && Array.isArray(metadata.passages) ? metadata.passages : [];
  return listed.flatMap((each: unknown, at) => {
    if (!isRecord(each) || typeof each.path !== 'string') return [];
    return [{ index: at + 1, path: each.path, ...workspaceIn(each), ...readPiece(each) }];
  });
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function lineOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : otherwise;
}

/**
 * Returns a quote's location in a file without lines. For a sheet, it includes the cells if they are in one
 * row.
 */
export function readPlace(data: object): Citation['place'] {
  const { cells, ...parts } = data as Record<string, unknown>;
  const kind = PLACES.find((each) => parts[each] !== undefined);
  return kind && { kind, at: [parts[kind], cells ?? []].flat().join(' · ') };
}

function readNotice(data: unknown): Notice | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { code, text, ending } = data as Record<string, unknown>;
  const known = ENDINGS.find((each) => each === ending);
  return typeof text === 'string' ? { code: String(code), text, ...(known && { ending: known }) } : undefined;
}

interface Conversation {
  messages: readonly { role: string; parts: readonly unknown[] }[];
  isBusy: boolean;
  error: Error | undefined;
}

/**
 * Returns the announcement of the latest answer. An error has none here, because it is announced separately.
 */
export function announcementOf({ messages, isBusy, error }: Conversation) {
  if (isBusy) return 'chat.answering';
  const last = messages.at(-1);
  if (error !== undefined || last?.role !== 'assistant') return undefined;
  const { text, notices } = viewOfMessage(last.parts as Part[]);
  const cut = cutOf(notices, false);
  if (cut === 'answer-cut' && text === '') return 'chat.notices.no-answer';
  if (cut !== undefined) return `chat.notices.${cut}` as const;
  const isJudged = (last.parts as Part[]).some(({ type }) => type === 'data-citation-support');
  return isJudged ? 'chat.answeredJudged' : 'chat.answered';
}

/**
 * Returns how an incomplete answer ended. `isBroken` means a broken connection, for which there is no notice
 * yet.
 */
export function cutOf(
  notices: readonly Notice[],
  isBroken: boolean,
): 'stopped' | 'answer-cut' | Ending | undefined {
  const endings = notices.flatMap((notice) => endingOf(notice) ?? []);
  if (endings.includes('stopped')) return 'stopped';
  return isBroken || endings.includes('cut') ? 'answer-cut' : endings.find((each) => each !== 'cut');
}

/** Matches the end of a sentence, with following quotation marks, brackets, and citations. */
const WHOLE = /[.!?。！？…][\s"'”’)\]）】」』*_]*(?:\[[\d,\s]*\]\s*)*$|\n\s*$/u;

/**
 * Returns the number of complete sentences by the rules of the reader's language. In a truncated text, the
 * last one doesn't count.
 */
export function countSentences(text: string, language: string): number {
  const found = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text);
  return [...found].filter(({ segment }) => /[\p{L}\p{N}]/u.test(segment) && WHOLE.test(segment)).length;
}

export interface CitedSource {
  citation: Citation;
  /** The ID of the message with the citation. */
  messageId: string;
  /** True if no sentence cites it, so it's only one of the model's passages. */
  isGiven: boolean;
  view: MessageView;
}

/** Comes before the number of one of the model's passages in a URL. */
const GIVEN = 'given';

export function givenSourceOf(messageId: string, { index }: Pick<Citation, 'index'>): string {
  return `${messageId}.${GIVEN}${index}`;
}

/** Returns the citation for `<message>.<number>` in a URL, or the uncited passage for `<message>.given<number>`. */
export function findCitation(
  messages: readonly { id: string; parts: readonly Part[]; metadata?: unknown }[],
  source: string | undefined,
): CitedSource | undefined {
  const dot = source?.lastIndexOf('.') ?? -1;
  if (source === undefined || dot < 0) return undefined;
  const message = messages.find(({ id }) => id === source.slice(0, dot));
  if (message === undefined) return undefined;
  const named = source.slice(dot + 1);
  const isGiven = named.startsWith(GIVEN);
  const view = viewOfMessage(message.parts);
  const all = isGiven ? readGiven(message.metadata) : view.citations;
  const index = Number(isGiven ? named.slice(GIVEN.length) : named);
  const citation = all.find((each) => each.index === index);
  return (
    citation && {
      citation,
      messageId: message.id,
      isGiven,
      view: isGiven ? { ...view, text: '', citations: all } : view,
    }
  );
}
