import type { LabeledPart } from './part-label.ts';

/** How far the quotes of a sentence support it. `unjudged`: code found nothing wrong, and no model judged it. */
export const SUPPORTS = ['full', 'partial', 'none', 'contradicted', 'unjudged'] as const;
export type Support = (typeof SUPPORTS)[number];

/** `quote`: words that the sentence has in quotation marks. */
export const CHECK_KINDS = ['number', 'date', 'name', 'unit', 'quote'] as const;

/** A check by code of one kind of fact. */
export interface CitationCheck {
  kind: (typeof CHECK_KINDS)[number];
  ok: boolean;
  /** What the quotes lack, in the words of the sentence. */
  detail?: string;
}

/** The data of a `data-citation-support` part: what a model judged, after the text. */
export interface CitationSupport {
  /** The citation's number, as text. */
  id: string;
  support: Support;
  reason: string;
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
}
