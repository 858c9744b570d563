import type { PictureOfPage } from '../ports/recognizer.ts';
import type { StatedFacts } from './stated-facts.ts';

/**
 * Where the text of a file is. Passages are chunks of that text, and citations quote it.
 * - `text`: the whole file is its text.
 * - `markup`: the file contains its text between markup, and citations quote only the parts between markup.
 *   Such a format has a function in `runReaders` (all-formats.ts).
 * - `encoded`: the text is decoded from the bytes. It's stored as an object next to the file, and citations
 *   quote this text. Such a format has a function in `decoders` (all-decoders.ts).
 */
export type Content = 'text' | 'markup' | 'encoded';

/**
 * The unit of locations in a text. All units except lines are the parts that a decoder returns
 * (`partStarts`).
 */
export type Unit = 'line' | 'page' | 'slide' | 'sheet' | 'cell';

/**
 * Everything known about a format before a file is opened. It must be small, because every bundle that looks
 * a format up contains all formats. The function that reads a file (a parser, an engine) is in the same file.
 */
export interface Format<Name extends string = string, Of extends Content = Content> {
  name: Name;
  /**
   * Counts from 1. Increase it if the text is extracted differently; the next sync then re-indexes every file
   * of the format.
   */
  version: number;
  /** The name for people and models, as in "only text and PDF can be read". */
  title: string;
  /** Extensions in lower case, without the dot. No two formats share one. */
  extensions: string[];
  /** Lowercase names of files of this format that have no extension, or an unknown one. */
  names?: string[];
  /** The first characters of such a file, if they identify the format regardless of the file's name. */
  signature?: string;
  /** The content types that identify the format on the web, if no signature does. */
  webType?: RegExp;
  /** The media type in citations, or the extension's if that is more specific. */
  mediaType: string;
  mediaTypes?: Record<string, string>;
  /** Returns the media type for downloads, given the extension's. If absent, the extension's is used. */
  rawType?(byExtension: string | null): string;
  content: Of;
  /** The unit of citations and readFile. */
  unit: Unit;
  /** Each line is a row, and locations also state the total number of rows. */
  linesAreRows?: true;
  /** How lines show where the text may be split. Without it, only blank lines separate passages. */
  structure?: Structure;
  /** Returns context from the text above a position; in order of positions. */
  contexts?(text: string): Context[];
  /** Set if a part may be an image of text. The OCR engine then reads parts without text as this format. */
  recognizable?: PictureOfPage['format'];
  /** The note that readFile returns for a file without text. */
  emptyNote?: string;
}

/** The structure of a text, judged from a line and the previous one. */
export interface Structure {
  /** True if a passage must not start with this line. */
  belongsToBefore(line: string, before: string): boolean;
  /** True if a heading or a definition starts here. */
  startsSection(line: string, blankBefore: boolean): boolean;
  /** True if the line, after a blank line before the previous one, makes the previous line a title. */
  isUnderline?(line: string, before: string): boolean;
  /**
   * Returns the heading in the line, if there is one, given the next line. Gets only the start of a long
   * line.
   */
  heading?(line: string, after: string): { level: number; text: string } | undefined;
  /** True for a line that starts or ends code, whose comments may look like headings. */
  isFence?(line: string): boolean;
}

/**
 * The level of headings whose level isn't known. Level 1 is the highest. A heading of this level only ends
 * the previous one.
 */
export const FLAT_HEADING = 7;

/** Context for the text from a position on, in addition to its headings, such as a table's header row. */
export interface Context {
  at: number;
  text: string;
}

/** A range of a text: characters from 0, end exclusive. */
export interface TextRun {
  start: number;
  end: number;
}

/**
 * A range of a source and its readable text: the range itself, or the character that an entity represents.
 */
export interface ReadRun extends TextRun {
  text: string;
  /** 0 if the text continues on the same line, 1 for a new block, 2 for the start of a heading. */
  breakBefore: 0 | 1 | 2;
}

/** Returns the text between a source's markup, in order. Throws Unreadable if that would take too long. */
export type RunReader = (source: string) => ReadRun[];

/** A part that is a table with numbered rows, each on one line of the text. */
export interface Sheet {
  name: string;
  /** The start of each row in the text, with its number in the sheet. Rows without text are omitted. */
  rowStarts: number[];
  rowNumbers: number[];
  /** The numbers of the sheet's columns that have cells in these rows, from 1. */
  columns: number[];
}

/** A block of a document that isn't a paragraph: a heading, a list item, or a table row. */
export interface Block {
  /** The start of the block in the text. */
  at: number;
  kind: 'heading' | 'item' | 'row';
  /** Set for a heading. 1 is the highest level. */
  level?: number;
}

/** The text decoded from bytes. */
export interface Decoded {
  text: string;
  /** Where the parts (pages, slides) start in `text`. No passage crosses them. Empty if the unit is the line. */
  partStarts: number[];
  /** The parts, if they are sheets. */
  sheets?: Sheet[];
  /** The positions in `text` at which headings start, if the text itself doesn't mark them. */
  headings?: Set<number>;
  /** The blocks in order; absent for formats that don't report their blocks. */
  blocks?: Block[];
  /** Context from the text above a position; in order of positions. */
  contexts?: Context[];
  /** The numbers of parts with OCR text, from 1. */
  recognized?: number[];
  /** The encoding of a text file, if it isn't UTF-8. */
  encoding?: string;
  /** Content that wasn't read, such as `charts`, `macros`, or `embedded_objects`, each with its count. */
  left?: { kind: string; count: number }[];
  /** Set if the encoding is only a guess. */
  encodingCertain?: false;
  /** What the file states about itself. Absent for formats without properties. */
  facts?: StatedFacts;
}

/** Throws Unreadable if the bytes contain no readable text, or reading them would take too long. */
export type Decoder = (bytes: Uint8Array) => Promise<Decoded>;
