import { splitSentences } from '../../api-contract/sentences.ts';
import type { TextRun } from '../../formats/format.ts';
import { beginning } from '../../text/cut-text.ts';
import type { DraftFormat } from '../schema.ts';
import { MAX_CLAIM } from '../work/claim-text.ts';

/** Sentences of a draft: about 300 dense pages. */
export const MAX_DRAFT_SENTENCES = 8000;

/** A text whose claims are checked. */
export interface DraftText {
  format: DraftFormat;
  /** What its readers see; of Markdown and plain text the file itself. */
  text: string;
  sentences: SentenceOfDraft[];
}

export interface SentenceOfDraft extends TextRun {
  /**
   * As readers see it. That is `draft.text` from `start` to `end`, without the marks of Markdown, and in a row with what its merged
   * cells say.
   */
  text: string;
  isHeading?: boolean;
  /** A row of a table. */
  isRow?: boolean;
  /** The row of the table that names its columns, if it has one. */
  columns?: string;
}

/** A draft with the sentences that hold a claim. */
export interface ReadDraft extends DraftText {
  /** Their places in `sentences`. */
  claims: number[];
  /** The places of sentences in a list of sources. */
  listed: number[];
}

/** A paragraph, heading, item, or row: no sentence continues in the next. */
export interface DraftBlock {
  /** Its place in the text of the draft. */
  start: number;
  /** As long as its place. `\0` stands for each character that readers don't see. */
  shown: string;
  isHeading?: true;
  /** A row of a table: the one that names the columns, another of the same table, or one of a table without such a row. */
  row?: 'header' | 'row' | 'alone';
  /** What the cells of a row say, with those that they are merged with; absent where that is what it shows. */
  said?: string;
  /** What names the columns of a row. Absent in Markdown and plain text, where it's the header above. */
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

/** What a row says is already limited: it's one claim, however long its source. */
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

/** Cuts what is too long for a sentence, at a space if there is one: what is compared takes a limited time. */
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

/** Text without marks is left as it is. */
function readable(shown: string): string {
  return shown.includes('\0') ? shown.replaceAll('\0', '').replace(/\s+/g, ' ').trim() : shown;
}

function whole(shown: string): TextRun {
  const seen = shown.replaceAll('\0', ' ');
  return { start: seen.length - seen.trimStart().length, end: seen.trimEnd().length };
}
