import type { Finding } from '../../api-contract/findings.ts';
import type { Support } from '../../api-contract/support.ts';
import type { WordsAround } from '../../support/rules/takes-back.ts';
import type { DraftCitation } from '../schema.ts';

/** A place in a file that code compared with a claim. */
export interface Candidate {
  citation: DraftCitation;
  /** The words around its quote in the file. */
  around: WordsAround;
  /** How much of the claim's subject its quote contains, from 0 to 1. */
  coverage: number;
  /** True if its file contains the sentence verbatim at that place. */
  isSame: boolean;
  /**
   * For a claim that depends on the previous sentence: whether the text around the quote is about the subject
   * of that sentence.
   */
  isAbout: boolean;
  /** Whether its file shares several sentences with the draft, so that it may be a version of the draft. */
  sharesMore: boolean;
  support: Support;
  findings: Finding[];
}

export interface ClaimEvidence {
  /** The claim of the sentence, without its references. */
  claim: string;
  /** The previous sentence, if the claim refers to it; otherwise empty. */
  before: string;
  /** For a row of a table, the claim as a judge sees it, with the names of its columns. */
  asked?: string | undefined;
  /** The best candidate first. */
  candidates: Candidate[];
  /** The finding for the source that the sentence names; undefined if it names none. */
  named?: NamedFinding | undefined;
  /** Numbered references that the draft's own list of sources lacks. */
  unlisted: string[];
}

/** The finding for the source that a sentence names for its claim. */
export interface NamedFinding {
  label: string;
  /** Undefined if no file is that source. */
  path: string | undefined;
  /** Another source that the sentence names, but that isn't among the files. */
  absent?: string | undefined;
  candidates: Candidate[];
}
