import type { Decider, Finding } from './findings.ts';
import { citedNumbers } from './markers.ts';
import type { LabeledPart } from './part-label.ts';
import type { Support } from './support.ts';

/** `quote` means words that the sentence has in quotation marks. */
export const CHECK_KINDS = ['number', 'date', 'name', 'unit', 'quote'] as const;

/** A check of one kind of fact, made by code. */
export interface CitationCheck {
  kind: (typeof CHECK_KINDS)[number];
  ok: boolean;
  /** The sentence's words that are missing from the quotes. */
  detail?: string;
}

/** The support of one sentence by its quotes. */
export interface SentenceSupport {
  support: Support;
  /** The reason why the support is less than full, if known. */
  reason?: string;
  /** True if a model decided on the support. */
  judged?: true;
  /** Whether code or a model decided on the support. */
  by?: Decider;
  /** The findings of code. */
  findings?: Finding[];
}

/** The data of a `data-citation-support` part: a model's judgment, which arrives after the text. */
export interface CitationSupport {
  /** The citation's number, as text. */
  id: string;
  support: Support;
  reason: string;
  /**
   * True if a model decided on the support. A citation may still have the result of code for other sentences.
   */
  judged?: true;
  by?: Decider;
  findings?: Finding[];
  /** The support of each sentence in `claims`, if the citation has them. */
  claims?: SentenceSupport[];
}

/** A part of a file with its location. */
export interface QuotedPiece extends LabeledPart {
  quote: string;
  startLine: number;
  endLine: number;
  recognized?: true;
}

/** One of several sentences that cite the same passage, with its own location in the file. */
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
  /** The workspace of the file, if the question named a list of workspaces. */
  workspaceId?: string;
  path: string;
  startLine: number;
  endLine: number;
  quote: string;
  fileHash: string;
  verified: boolean;
  stale: boolean;
  recognized?: true;
  /** The weakest support of its sentences. */
  support?: Support;
  reason?: string;
  judged?: true;
  by?: Decider;
  findings?: Finding[];
  /** One to three parts of the file that contain the facts of the sentence; `quote` is the first. */
  quotes?: QuotedPiece[];
  checks?: CitationCheck[];
  claims?: CitedClaim[];
  /** The facts about its document, if they are known. */
  title?: string;
  authors?: string[];
  year?: number;
  /** The web page that the service saved as the file. */
  source?: { url: string; fetchedAt: string };
  /** Whether the model cited the passage, or the service found it for sentences that have no marker. */
  origin?: 'model' | 'service';
  /**
   * The sentences for which the service found the passage, with their positions in the answer in UTF-16
   * units.
   */
  sentences?: { start: number; end: number; text: string }[];
}

/**
 * From the strongest to the weakest. A passage supports an answer only as well as the weakest sentence that
 * cites it.
 */
const BY_STRENGTH = ['full', 'unjudged', 'partial', 'none', 'contradicted'] as const satisfies Support[];

export function weakestOf<Known extends SentenceSupport>([first, ...others]: [Known, ...Known[]]): Known {
  const strength = ({ support }: Known) => BY_STRENGTH.indexOf(support);
  return others.reduce((weakest, other) => (strength(other) > strength(weakest) ? other : weakest), first);
}

/** Returns whether the quotes don't support a sentence at all. */
export function isUnsupported(support: Support): support is 'none' | 'contradicted' {
  return support === 'none' || support === 'contradicted';
}

/** Returns an answer's citations after one more part of its stream. */
export function addCitation(citations: Citation[], part: { type: string; data?: unknown }): Citation[] {
  if (part.type === 'data-citation') return [...citations, part.data as Citation];
  if (part.type === 'data-citation-support') return judgeOne(citations, part.data as CitationSupport);
  return citations;
}

/** Returns the citations in one text, because an answer may have several texts. */
export function citationsIn(text: string, citations: readonly Citation[]): Citation[] {
  if (citations.length === 0) return [];
  const cited = new Set(citedNumbers(text));
  return citations.filter(({ index }) => cited.has(index));
}

/** Returns the citations with the judgment added to one of them. */
function judgeOne(citations: Citation[], judged: CitationSupport): Citation[] {
  return citations.map((each) => (String(each.index) === judged.id ? withJudgment(each, judged) : each));
}

/** Returns a citation with a model's later judgment. */
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
