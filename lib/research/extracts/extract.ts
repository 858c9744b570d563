/** The name of the steps that store the extracts of a finished report. */
export const EXTRACTS_STEP = 'extracts';

/** A passage around a quote, as the index read it. */
export interface Extract {
  /** The hash of the file that the passage was read from. */
  fileHash: string;
  text: string;
  /** The line of the file at which the passage starts, from 1. */
  firstLine: number;
  /** The position of the quote in the passage, in UTF-16 code units. */
  start: number;
}
