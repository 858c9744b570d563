import type { LabeledPart } from './part-label.ts';

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
