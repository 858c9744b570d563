import { splitSentences } from '../../api-contract/sentences.ts';
import type { ReferenceEntry } from '../../bibliography/entry.ts';
import type { TextRun } from '../../formats/format.ts';
import { beginning } from '../../text/cut-text.ts';
import type { DraftFormat } from '../schema.ts';
import { MAX_CLAIM } from '../work/claim-text.ts';

/** The maximum number of sentences in a draft: about 300 dense pages. */
export const MAX_DRAFT_SENTENCES = 8000;

/** A text whose claims are checked. */
export interface DraftText {
  format: DraftFormat;
  /** The text that readers see; for Markdown and plain text, the file itself. */
  text: string;
  sentences: SentenceOfDraft[];
}

export interface SentenceOfDraft extends TextRun {
  /**
   * The text of the sentence as readers see it: `draft.text` from `start` to `end`, without Markdown syntax.
   * A row also includes the text of its merged cells.
   */
  text: string;
  isHeading?: boolean;
  /** True if it is a row of a table. */
  isRow?: boolean;
  /** The header row of the table, if it has one. */
  columns?: string;
}

/** An entry of a draft's reference list. */
export interface DraftReference extends ReferenceEntry {
  /** Its number in the list, or its key. */
  label?: string | undefined;
  /** Its place in the text of the draft. Missing if the text doesn't show it, as in LaTeX. */
  start?: number;
  end?: number;
  /** The numbers of the sentences that cite it, starting at 1. */
  citedBy: number[];
}

/** A key that sentences cite, and no list of the draft has. */
export interface CitedKey {
  key: string;
  citedBy: number[];
}

/** A draft with the sentences that contain a claim. */
export interface ReadDraft extends DraftText {
  /** The indexes of these sentences in `sentences`. */
  claims: number[];
  /** The indexes of sentences in a list of sources. */
  listed: number[];
  /** The entries of the reference lists. Missing in drafts of earlier releases. */
  references?: DraftReference[];
  /** The keys that sentences cite, without an entry in the draft. */
  cited?: CitedKey[];
}

/** A paragraph, heading, item, or row. No sentence continues into the next block. */
export interface DraftBlock {
  /** The start of the block in the text of the draft. */
  start: number;
  /**
   * The text that readers see. It is as long as the block, and has `\0` for each character that they don't
   * see.
   */
  shown: string;
  isHeading?: true;
  /** For a row of a table: the header row, another row of the same table, or a row of a table without a header row. */
  row?: 'header' | 'row' | 'alone';
  /** The text of a row's cells, and of the cells with which they are merged. Absent if it equals `shown`. */
  said?: string;
  /** The names of a row's columns. Absent in Markdown and plain text, where the header above names them. */
  columns?: string;
}

export function sentencesOfBlocks(blocks: DraftBlock[]): SentenceOfDraft[] {
  let above: string | undefined;
  return blocks.flatMap(({ start: from, shown, isHeading, row, said, columns }) => {
    if (row === 'header') above = beginning(said ?? readable(shown).trim(), MAX_CLAIM);
    const about = { ...(isHeading && { isHeading }), ...rowOf(row, columns ?? above) };
    return placesIn(shown, isHeading || row !== undefined, said !== undefined).flatMap(
      ({ start, end }): SentenceOfDraft[] => {
        const text = said ?? readable(shown.slice(start, end));
        if (!/[\p{L}\p{N}]/u.test(text)) return [];
        return [{ text, start: from + start, end: from + end, ...about }];
      },
    );
  });
}

/**
 * Splits a block into sentences. A row is a single claim, however long its source, because its text is
 * already limited.
 */
function placesIn(shown: string, isWhole: boolean, isLimited: boolean): TextRun[] {
  if (isLimited) return [whole(shown)];
  return (isWhole ? [whole(shown)] : splitSentences(shown)).flatMap((place) => shortened(shown, place));
}

function rowOf(
  row: DraftBlock['row'],
  columns: string | undefined,
): Pick<SentenceOfDraft, 'isRow' | 'columns'> {
  if (row === undefined || row === 'header') return {};
  return { isRow: true, ...(row === 'row' && columns !== undefined && { columns }) };
}

/**
 * Splits text that is too long for a sentence, at a space if possible, because the time for comparing a
 * sentence is limited.
 */
function shortened(shown: string, { start, end }: TextRun): TextRun[] {
  const places: TextRun[] = [];
  let from = start;
  while (end - from > MAX_CLAIM) {
    const space = shown.lastIndexOf(' ', from + MAX_CLAIM);
    const to = space > from ? space : from + MAX_CLAIM;
    places.push({ start: from, end: to });
    from = space > from ? space + 1 : to;
  }
  return [...places, { start: from, end }];
}

/** Returns the text without markup; unchanged if it has none. */
function readable(shown: string): string {
  return shown.includes('\0') ? shown.replaceAll('\0', '').replace(/\s+/g, ' ').trim() : shown;
}

function whole(shown: string): TextRun {
  const seen = shown.replaceAll('\0', ' ');
  return { start: seen.length - seen.trimStart().length, end: seen.trimEnd().length };
}
