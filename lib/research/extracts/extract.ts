/** The name of the steps that store the extracts of a finished report. */
export const EXTRACTS_STEP = 'extracts';

/** A passage around a quote, as the index read it. */
export interface Extract {
  /** Hash of the file that it was read from. */
  fileHash: string;
  text: string;
  /** The line of the file at which it starts, from 1. */
  firstLine: number;
  /** The position of the quote in it, in UTF-16 code units. */
  start: number;
}
