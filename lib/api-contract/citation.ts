import type { FilePart } from './part-label.ts';

/** The data of a `data-citation` part. */
export interface Citation extends FilePart {
  index: number;
  path: string;
  startLine: number;
  endLine: number;
  quote: string;
  fileHash: string;
  verified: boolean;
  stale: boolean;
}
