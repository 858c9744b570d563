import { lacksFact } from '../api-contract/findings.ts';
import { lineAt } from '../formats/lines.ts';
import type { Passage } from '../ports/vectors.ts';
import { findAsWritten } from '../retrieval/cite/locate.ts';
import type { QuotableFile } from '../retrieval/cite/sources.ts';
import { assess } from '../support/assess.ts';
import type { CellCitation, CellValue, EvidenceColumn, KeptCell } from './schema.ts';
import { isSameValue, readValue, showValue } from './values.ts';

/** A value as a model states it, with its quote from a numbered passage. */
export interface StatedValue {
  value: string;
  passage: number;
  quote: string;
}

/** The document that was read, and the passages of it that the model saw. */
export interface ReadDocument {
  path: string;
  file: QuotableFile;
  passages: Passage[];
  /** True if the passages are the whole document. */
  isWhole: boolean;
}

interface CheckedValue {
  value: Exclude<CellValue, null>;
  citation: CellCitation;
}

export type CellResult = Omit<KeptCell, 'column'>;

/**
 * Returns the cell for the values that a model stated. Code decides its state: only values whose quotes are in the
 * document count, and several of them that differ are disputed.
 */
export function readCell(document: ReadDocument, column: EvidenceColumn, stated: StatedValue[]): CellResult {
  const partly = document.isWhole ? {} : { partly: true as const };
  if (stated.length === 0)
    return { value: null, state: 'not_stated', verified: true, citations: [], ...partly };
  const checked = stated.map((each) => checkValue(document, column, each));
  const values = checked.filter((each) => 'citation' in each);
  const reason = checked.find((each) => 'reason' in each)?.reason;
  const [first] = values;
  if (first === undefined) return { ...failedCell(reason ?? 'quote_not_found'), ...partly };
  const citations = values.map(({ citation }) => citation);
  if (values.some(({ value }) => !isSameValue(value, first.value)))
    return { value: null, state: 'disputed', verified: false, citations, ...partly };
  const doubt = doubtAbout(column, first.value, citations) ?? reason;
  return {
    ...{ value: first.value, state: 'found', verified: doubt === undefined },
    ...(doubt !== undefined && { reason: doubt }),
    ...{ citations, ...partly },
  };
}

export function failedCell(reason: string): CellResult {
  return { value: null, state: 'failed', verified: false, reason, citations: [] };
}

/** Returns the value with its quote, or why one of them can't be used. */
function checkValue(
  { path, file, passages }: ReadDocument,
  column: EvidenceColumn,
  { value: written, passage, quote }: StatedValue,
): CheckedValue | { reason: string } {
  const read = readValue(column, written);
  if ('reason' in read) return read;
  const place = findAsWritten(file, quote, passages[passage - 1]?.startLine);
  if (place === undefined) return { reason: 'quote_not_found' };
  const citation = {
    ...{ value: showValue(read.value, column), path, fileHash: file.hash },
    ...{ startLine: lineAt(file.lines, place.start), endLine: lineAt(file.lines, place.end - 1) },
    ...file.partAt(place),
    quote: file.text.slice(place.start, place.end),
  };
  return { ...read, citation };
}

/** Returns the rule by which the quotes lack a fact of the value, or contradict it; undefined if there is no such rule. */
function doubtAbout(column: EvidenceColumn, value: CellValue, citations: CellCitation[]): string | undefined {
  if (column.type === 'boolean' || column.type === 'choice') return undefined; // their words are the column's own
  const { support, findings } = assess(showValue(value, column), {
    quotes: citations.map(({ quote }) => quote),
  });
  const found = findings.find((finding) => lacksFact(finding) || support === 'contradicted');
  return found?.rule;
}
