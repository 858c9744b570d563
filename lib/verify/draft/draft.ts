/** The formats of a draft. */
export const DRAFT_FORMATS = ['docx', 'md', 'tex', 'html', 'txt'] as const;
export type DraftFormat = (typeof DRAFT_FORMATS)[number];

/** A sentence of a draft, and its place in the draft's text: UTF-16 units from 0, end exclusive. */
export interface SentenceOfDraft {
  text: string;
  start: number;
  end: number;
  isHeading?: boolean;
}

export interface Draft {
  format: DraftFormat;
  /** The readable text, which the places refer to. */
  text: string;
  sentences: SentenceOfDraft[];
}
