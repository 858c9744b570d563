import { readFilePart, type ShownFile } from './attachments.ts';

/**
 * Messages of the stream, parsed for display. Parts are untrusted data: anything malformed is left out, never an error. Pure,
 * so all of it is tested without a browser.
 */
export interface Citation {
  index: number;
  path: string;
  startLine: number;
  endLine: number;
  /** `page 3`, `slide 2` … for files that have no lines of their own. */
  place?: { kind: 'page' | 'slide' | 'sheet' | 'cell'; at: string } | undefined;
  quote: string;
  state: CitationState;
}
/** `differs`: quoted from the file, but without a fact of the sentence. */
export type CitationState = 'verified' | 'stale' | 'differs' | 'unverified';

export interface Notice {
  code: string;
  text: string;
}

/** The only sign that a person cut an answer. */
const STOPPED = 'The answer was stopped.';

/** How an answer ended: by itself, by a person, or for another reason. */
export function endingOf({ code, text }: Notice): 'stopped' | 'cut' | undefined {
  if (text === STOPPED) return 'stopped';
  return code === 'answer-cut' ? 'cut' : undefined;
}

export interface MessageView {
  text: string;
  citations: Citation[];
  notices: Notice[];
  files: ShownFile[];
}

export type Part = { type: string } & Record<string, unknown>;

const PLACES = ['page', 'slide', 'sheet', 'cell'] as const;

export function viewOfMessage(parts: readonly Part[]): MessageView {
  const texts = parts.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  );
  const citations = new Map<number, Citation>();
  const notices = new Map<string, Notice>();
  for (const part of parts) {
    const citation = part.type === 'data-citation' ? readCitation(part.data) : undefined;
    if (citation !== undefined) citations.set(citation.index, citation);
    const notice = part.type === 'data-notice' ? readNotice(part.data) : undefined;
    if (notice !== undefined) notices.set(`${notice.code} ${notice.text}`, notice);
  }
  const sorted = [...citations.values()].sort((a, b) => a.index - b.index);
  const files = parts.flatMap((part) => readFilePart(part) ?? []);
  return { text: texts.join('\n\n'), citations: sorted, notices: [...notices.values()], files };
}

/** The citations of each file, both in the order of their numbers. */
export function groupByFile(citations: readonly Citation[]): { path: string; passages: Citation[] }[] {
  const files = Map.groupBy(citations, ({ path }) => path);
  return [...files].map(([path, passages]) => ({ path, passages }));
}

function readCitation(data: unknown): Citation | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { index, path, startLine, endLine, quote, verified, stale } = data as Record<string, unknown>;
  if (typeof index !== 'number' || typeof path !== 'string') return undefined;
  const first = lineOr(startLine, 1);
  const place = readPlace(data as Record<string, unknown>);
  return {
    index,
    path,
    startLine: first,
    endLine: Math.max(first, lineOr(endLine, first)),
    ...(place && { place }),
    quote: typeof quote === 'string' ? quote : '',
    state: stateOf(verified === true, stale === true, typeof quote === 'string' && quote !== ''),
  };
}

function stateOf(verified: boolean, stale: boolean, quoted: boolean): CitationState {
  if (!verified) return quoted ? 'differs' : 'unverified';
  return stale ? 'stale' : 'verified';
}

function lineOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : otherwise;
}

function readPlace(data: Record<string, unknown>): Citation['place'] {
  const kind = PLACES.find((each) => data[each] !== undefined);
  return kind && { kind, at: String(data[kind]) };
}

function readNotice(data: unknown): Notice | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { code, text } = data as Record<string, unknown>;
  return typeof text === 'string' ? { code: String(code), text } : undefined;
}

interface Conversation {
  messages: readonly { role: string; parts: readonly unknown[] }[];
  isBusy: boolean;
  error: Error | undefined;
}

/** What is announced of the latest answer; nothing for an error, which is announced by itself. */
export function announcementOf({ messages, isBusy, error }: Conversation) {
  if (isBusy) return 'chat.answering';
  const last = messages.at(-1);
  if (error !== undefined || last?.role !== 'assistant') return undefined;
  const { text, notices } = viewOfMessage(last.parts as Part[]);
  const endings = notices.map(endingOf);
  if (endings.includes('stopped')) return 'chat.notices.stopped';
  if (endings.includes('cut')) return text === '' ? 'chat.notices.no-answer' : 'chat.notices.answer-cut';
  return 'chat.answered';
}

/** The number of sentences, as the reader's language ends them. */
export function countSentences(text: string, language: string): number {
  const found = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text);
  return [...found].filter(({ segment }) => /[\p{L}\p{N}]/u.test(segment)).length;
}

export interface CitedSource {
  citation: Citation;
  /** The message that cites it. */
  messageId: string;
  view: MessageView;
}

/** The citation that `<message>.<number>` of an address names. */
export function findCitation(
  messages: readonly { id: string; parts: readonly Part[] }[],
  source: string | undefined,
): CitedSource | undefined {
  const dot = source?.lastIndexOf('.') ?? -1;
  if (source === undefined || dot < 0) return undefined;
  const message = messages.find(({ id }) => id === source.slice(0, dot));
  if (message === undefined) return undefined;
  const index = Number(source.slice(dot + 1));
  const view = viewOfMessage(message.parts);
  const citation = view.citations.find((each) => each.index === index);
  return citation && { citation, messageId: message.id, view };
}
