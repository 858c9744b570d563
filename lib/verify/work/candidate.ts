import type { Finding } from '../../api-contract/findings.ts';
import type { Support } from '../../api-contract/support.ts';
import type { WordsAround } from '../../support/rules/takes-back.ts';
import type { DraftCitation } from '../schema.ts';

/** A place in a file, compared with a claim by code. */
export interface Candidate {
  citation: DraftCitation;
  /** The words around its quote in the file. */
  around: WordsAround;
  /** How much of the claim's subject its quote has: 0 to 1. */
  coverage: number;
  /** Whether its file has the sentence there, word for word. */
  isSame: boolean;
  /** Whether what is around the quote is about what the sentence before the claim is about, if the claim depends on that. */
  isAbout: boolean;
  /** Whether its file shares several sentences with the draft, so that it may be a version of it. */
  sharesMore: boolean;
  support: Support;
  findings: Finding[];
}

export interface ClaimEvidence {
  /** What the sentence claims, without its references. */
  claim: string;
  /** The sentence before, if the claim refers to it; else empty. */
  before: string;
  /** The same as a judge is shown it, for a row of a table with the names of its columns. */
  asked?: string | undefined;
  /** Best first. */
  candidates: Candidate[];
  /** What the source that the sentence names says; undefined if it names none. */
  named?: NamedFinding | undefined;
  /** References by number that the draft's own list of sources lacks. */
  unlisted: string[];
}

/** What the source that a sentence names says of its claim. */
export interface NamedFinding {
  label: string;
  /** Undefined if no file is that source. */
  path: string | undefined;
  /** Another source that it names, and that isn't in the files. */
  absent?: string | undefined;
  candidates: Candidate[];
}
