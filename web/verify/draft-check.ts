import { isPossibleError } from '../../lib/api-contract/findings.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { type Citation, readPlace } from '../chat/message-view.ts';
import { FILTERS, type SentenceFilter, type SentenceState } from './check-search.ts';

/** A check in the API's format. */
export type DraftCheck = Schemas['DraftCheck'];
export type CheckedSentence = DraftCheck['sentences'][number];
export type DraftCitation = CheckedSentence['citations'][number];

export function isOpen({ status }: Pick<DraftCheck, 'status'>): boolean {
  return status === 'running' || status === 'waiting';
}

const MAX_TITLE = 200;

/** Returns the draft's name; for pasted text, which has none, its start. */
export function titleOf({ name, text }: Pick<DraftCheck, 'name' | 'text'>): string {
  return name === 'draft.txt' ? text.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE).toWellFormed() : name;
}

type Supported = Required<Pick<CheckedSentence, 'support' | 'findings'>> & Pick<CheckedSentence, 'by'>;

/**
 * Returns the support in the format of chat messages, including a model's own words; undefined for a sentence
 * without a claim.
 */
export function supportedOf(sentence: CheckedSentence): (Supported & { reason?: string }) | undefined {
  const { support, by, findings } = sentence;
  const why = ownWordsOf(sentence);
  return support && { support, ...(by && { by }), findings, ...(why !== '' && { reason: why }) };
}

/** Returns a model's reason unchanged. */
export function ownWordsOf({ by, reason }: CheckedSentence): string {
  return by === 'model' ? reason : '';
}

/**
 * Counts the claims that weren't checked in an ended check, and those that its judge left out of its answer.
 */
export function countOmitted(check: DraftCheck): { unchecked: number; unjudged: number } {
  if (isOpen(check)) return { unchecked: 0, unjudged: 0 };
  const { counts, judge, judgeError, ended } = check;
  const hasAnswered = judge && judgeError === null && ended === null;
  return { unchecked: counts.claims - counts.checked, unjudged: hasAnswered ? counts.unjudged : 0 };
}

/** Returns the state for a filter; two kinds of support have the same state. */
export function stateOf({ support }: Pick<CheckedSentence, 'support'>): SentenceState {
  if (support === undefined) return 'no-claim';
  return support === 'partial' ? 'none' : support;
}

export function isShown(sentence: CheckedSentence, filter: SentenceFilter): boolean {
  return filter === 'errors' ? isPossibleError(sentence) : stateOf(sentence) === filter;
}

export function countShown(sentences: readonly CheckedSentence[]): Record<SentenceFilter, number> {
  const count = (filter: SentenceFilter) => sentences.filter((each) => isShown(each, filter)).length;
  return Object.fromEntries(FILTERS.map((each) => [each, count(each)])) as Record<SentenceFilter, number>;
}

/** Returns a quote in the source panel's form. It names its workspace, unless that is the page's. */
export function citationOf(sentence: CheckedSentence, quoted: DraftCitation, here?: string): Citation {
  const { index, workspaceId, path, startLine, endLine, quote, fileHash, stale } = quoted;
  const place = readPlace(quoted);
  return {
    ...{ index, path, startLine, endLine, quote, fileHash },
    ...(workspaceId !== here && { workspaceId }),
    ...(place && { place }),
    ...(stale && { isStale: true }),
    ...supportedOf(sentence),
  };
}

/** Returns a check's quotes, each once. */
export function quotesIn({ sentences }: Pick<DraftCheck, 'sentences'>): Citation[] {
  const cited = sentences.flatMap((sentence) =>
    sentence.citations.map((quoted) => citationOf(sentence, quoted)),
  );
  const keyOf = ({ workspaceId, path, quote }: Citation) => `${workspaceId}\n${path}\n${quote}`;
  return [...new Map(cited.map((each) => [keyOf(each), each])).values()];
}

interface Place {
  runId: string;
  n: number;
  index: number;
}

/** Returns the open source, as in the URL; a sentence can also have quotes from a later check. */
export function sourceOf({ runId, n, index }: Place): string {
  return `${runId}.${n}.${index}`;
}

export function readSource(source: string | undefined): Place | undefined {
  const [, runId, n, index] = /^([\w-]{1,64})\.(\d{1,6})\.(\d{1,3})$/.exec(source ?? '') ?? [];
  return runId === undefined ? undefined : { runId, n: Number(n), index: Number(index) };
}

/** Returns the ID of the element with a sentence's details. */
export function detailsId(n: number): string {
  return `sentence-${n}`;
}
