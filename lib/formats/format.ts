import type { PictureOfPage } from '../ports/recognizer.ts';

/**
 * Where the text of a file is. Passages are cut from that text, and citations quote it.
 * - `text`: the file is its text, every character of it.
 * - `markup`: the file contains its text between markup. Citations quote the file, from between the markup only. Such a
 *   format has a function in `runReaders` (all-formats.ts).
 * - `encoded`: the text is decoded from the bytes. It's stored as an object next to the file, and citations quote that. Such a
 *   format has a function in `decoders` (all-decoders.ts).
 */
export type Content = 'text' | 'markup' | 'encoded';

/** Unit of locations in a text. All but lines are the parts that a decoder returns (`partStarts`). */
export type Unit = 'line' | 'page' | 'slide' | 'sheet' | 'cell';

/**
 * Everything known of a format before a file of it is opened. It's light: every bundle that looks a format up contains all of
 * them. The function that reads a file (a parser, an engine) is next to it, in the same file.
 */
export interface Format<Name extends string = string, Of extends Content = Content> {
  name: Name;
  /**
   * Counts from 1. A higher number makes the next sync re-index every file of the format, when its text is extracted
   * differently.
   */
  version: number;
  /** For people and models: "only text and PDF can be read". */
  title: string;
  /** Lower case, without the dot. No two formats share one. */
  extensions: string[];
  /** Lower-case names that are of this format without an extension, or with one that no format has. */
  names?: string[];
  /** The first characters of such a file, where they tell it from any other whatever its name is. */
  signature?: string;
  /** The content types that identify it on the web, if a signature doesn't. */
  webType?: RegExp;
  /** Media type in citations; by its extension if that says more. */
  mediaType: string;
  mediaTypes?: Record<string, string>;
  /** Media type for downloads, given that of the extension alone; without it, the latter. */
  rawType?(byExtension: string | null): string;
  content: Of;
  /** Unit of citations and readFile. */
  unit: Unit;
  /** Each line is a row: of how many, a place in it says. */
  linesAreRows?: true;
  /** How lines show where the text may be cut; without it, blank lines alone do. */
  structure?: Structure;
  /** Context that the text above a place gives; in order of places. */
  contexts?(text: string): Context[];
  /** Set when its parts may be pictures of text: what a recognizer takes a part without text for. */
  recognizable?: PictureOfPage['format'];
  /** Note of readFile for a file without text. */
  emptyNote?: string;
}

/** Structure of a text, judged by a line and the one before it. */
export interface Structure {
  /** No passage begins with this line. */
  belongsToBefore(line: string, before: string): boolean;
  /** A heading or a definition begins here. */
  startsSection(line: string, blankBefore: boolean): boolean;
  /** The line makes the one before it, which follows a blank line, a title. */
  isUnderline?(line: string, before: string): boolean;
  /** The heading that the line is, if it is one, given the line after it. Only the beginning of a long line is given. */
  heading?(line: string, after: string): { level: number; text: string } | undefined;
  /** Code is between two such lines; its comments may look like headings. */
  isFence?(line: string): boolean;
}

/** The level of headings without an order: 1 is the highest, and this one only ends the one before. */
export const FLAT_HEADING = 7;

/** Context for the text from a place on, in addition to its headings: a table's header row. */
export interface Context {
  at: number;
  text: string;
}

/** A stretch of a text: characters from 0, end exclusive. */
export interface TextRun {
  start: number;
  end: number;
}

/** A stretch of a source with what is read there: the source itself, or what an entity stands for. */
export interface ReadRun extends TextRun {
  text: string;
  /** 0 = continues in the same line, 1 = a new block, 2 = a heading begins. */
  breakBefore: 0 | 1 | 2;
}

/** The text between the markup of a source, in order. Throws Unreadable for what would take too long. */
export type RunReader = (source: string) => ReadRun[];

/** A part that is a table with numbered rows, each a line of the text. */
export interface Sheet {
  name: string;
  /** Where in the text each row begins, and which number the sheet gives it: rows without text are not there. */
  rowStarts: number[];
  rowNumbers: number[];
  /** Which columns of the sheet its rows have, from 1. */
  columns: number[];
}

/** A block of a document that is no paragraph: a heading, an item of a list, or the row of a table. */
export interface Block {
  /** Where in the text it begins. */
  at: number;
  kind: 'heading' | 'item' | 'row';
  /** Set for a heading; 1 is the highest. */
  level?: number;
}

/** The text that was made of bytes. */
export interface Decoded {
  text: string;
  /** Where in `text` its parts begin (pages, slides), which no passage crosses; empty where the unit is the line. */
  partStarts: number[];
  /** The parts, if they are sheets. */
  sheets?: Sheet[];
  /** Where in `text` a heading begins, where its characters do not show it. */
  headings?: Set<number>;
  /** In order; absent for formats that don't tell their blocks. */
  blocks?: Block[];
  /** Context that the text above a place gives; in order of places. */
  contexts?: Context[];
  /** Parts, from 1, whose text was recognized in a picture. */
  recognized?: number[];
  /** Encoding of a text file, if it isn't UTF-8. */
  encoding?: string;
  /** What the file has and was not read, such as `charts`, `macros`, or `embedded_objects`, with its number. */
  left?: { kind: string; count: number }[];
  /** Set when the encoding was guessed and the guess is uncertain. */
  encodingCertain?: false;
}

/** Throws Unreadable when the bytes hold no text that can be read, or would take too long. */
export type Decoder = (bytes: Uint8Array) => Promise<Decoded>;
