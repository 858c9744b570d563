import type { Decider, Finding } from './findings.ts';
import { citedNumbers } from './markers.ts';
import type { LabeledPart } from './part-label.ts';
import type { Support } from './support.ts';

/** `quote`: words that the sentence has in quotation marks. */
export const CHECK_KINDS = ['number', 'date', 'name', 'unit', 'quote'] as const;

/** A check by code of one kind of fact. */
export interface CitationCheck {
  kind: (typeof CHECK_KINDS)[number];
  ok: boolean;
  /** What the quotes lack, in the words of the sentence. */
  detail?: string;
}

/** What is known of one sentence and its quotes. */
export interface SentenceSupport {
  support: Support;
  /** Why the support is less than full, as far as it is known. */
  reason?: string;
  /** True if a model decided on it. */
  judged?: true;
  /** What decided on the support. */
  by?: Decider;
  /** What code found. */
  findings?: Finding[];
}

/** The data of a `data-citation-support` part: what a model judged, after the text. */
export interface CitationSupport {
  /** The citation's number, as text. */
  id: string;
  support: Support;
  reason: string;
  /** True if a model decided on it: a citation can keep what code found of another of its sentences. */
  judged?: true;
  by?: Decider;
  findings?: Finding[];
  /** Of each sentence in `claims`, if the citation has them. */
  claims?: SentenceSupport[];
}

/** A piece of a file, with its place. */
export interface QuotedPiece extends LabeledPart {
  quote: string;
  startLine: number;
  endLine: number;
  recognized?: true;
}

/** One of several sentences that cite a passage, with its own place in the file. */
export interface CitedClaim extends LabeledPart, SentenceSupport {
  /** The sentence, without markers. */
  text: string;
  startLine: number;
  endLine: number;
  quote: string;
  quotes?: QuotedPiece[];
  checks: CitationCheck[];
  recognized?: true;
}

/** The data of a `data-citation` part. */
export interface Citation extends LabeledPart {
  index: number;
  path: string;
  startLine: number;
  endLine: number;
  quote: string;
  fileHash: string;
  verified: boolean;
  stale: boolean;
  recognized?: true;
  /** The weakest of its sentences. */
  support?: Support;
  reason?: string;
  judged?: true;
  by?: Decider;
  findings?: Finding[];
  /** One to three pieces of the file that hold the facts of the sentence; `quote` is the first. */
  quotes?: QuotedPiece[];
  checks?: CitationCheck[];
  claims?: CitedClaim[];
  /** Whether the model cited the passage, or the service found it for sentences without a marker. */
  origin?: 'model' | 'service';
  /** The sentences for which the service found it, with their places in the answer, in UTF-16 units. */
  sentences?: { start: number; end: number; text: string }[];
}

/** From the strongest to the weakest: a passage supports an answer as far as the weakest sentence that cites it. */
const BY_STRENGTH = ['full', 'unjudged', 'partial', 'none', 'contradicted'] as const satisfies Support[];

export function weakestOf<Known extends SentenceSupport>([first, ...others]: [Known, ...Known[]]): Known {
  const strength = ({ support }: Known) => BY_STRENGTH.indexOf(support);
  return others.reduce((weakest, other) => (strength(other) > strength(weakest) ? other : weakest), first);
}

/** Whether the quotes fail a sentence as a whole. */
export function isUnsupported(support: Support): support is 'none' | 'contradicted' {
  return support === 'none' || support === 'contradicted';
}

/** The citations of an answer so far, after one more part of its stream. */
export function addCitation(citations: Citation[], part: { type: string; data?: unknown }): Citation[] {
  if (part.type === 'data-citation') return [...citations, part.data as Citation];
  if (part.type === 'data-citation-support') return judgeOne(citations, part.data as CitationSupport);
  return citations;
}

/** Those that a text cites: an answer may have several texts. */
export function citationsIn(text: string, citations: readonly Citation[]): Citation[] {
  if (citations.length === 0) return [];
  const cited = new Set(citedNumbers(text));
  return citations.filter(({ index }) => cited.has(index));
}

/** Citations of which one was judged. */
function judgeOne(citations: Citation[], judged: CitationSupport): Citation[] {
  return citations.map((each) => (String(each.index) === judged.id ? withJudgment(each, judged) : each));
}

/** A citation with what a model judged of it later. */
export function withJudgment(
  citation: Citation,
  { support, reason, judged, by, findings, claims = [] }: CitationSupport,
): Citation {
  const { reason: _, ...rest } = citation;
  return {
    ...rest,
    support,
    ...(reason !== '' && { reason }),
    ...(judged && { judged }),
    ...(by && { by }),
    ...(findings && { findings }),
    verified: citation.verified && !isUnsupported(support),
    ...(citation.claims && {
      claims: citation.claims.map((claim, at) => {
        const { reason: __, ...unjudged } = claim;
        return claims[at] === undefined ? claim : { ...unjudged, ...claims[at] };
      }),
    }),
  };
}
