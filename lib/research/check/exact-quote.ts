import type { TextRun } from '../../formats/format.ts';
import { lineStarts } from '../../formats/lines.ts';
import { nearestPlace } from '../../retrieval/cite/nearest.ts';
import { cutsSomething } from './cut-ends.ts';

export interface QuoteHint {
  /** Where the quote is said to stand, from 1: of several places the nearest is taken. */
  line?: number | undefined;
  /** What is read of the text (`runs` of a source); without it all of it. What is hidden in markup cannot be quoted. */
  runs?: TextRun[] | undefined;
}

/**
 * Where a quote stands, letter by letter. A place where it begins or ends within a word or a number is none: `5 %` does not
 * stand in `15 %`. What a model says of the place only chooses between such places.
 */
export function findExactQuote(text: string, quote: string, hint: QuoteHint = {}): TextRun | undefined {
  if (!/[\p{L}\p{N}]/u.test(quote)) return undefined;
  const runs = hint.runs ?? [{ start: 0, end: text.length }];
  const fits = (place: TextRun) => !cutsSomething(text, place);
  if (hint.line === undefined) return nearestPlace({ text, runs }, quote, 0, fits);
  const starts = lineStarts(text);
  const [from = text.length, to = text.length] = starts.slice(Math.max(0, hint.line - 1), hint.line + 1);
  const onLine = ({ start }: TextRun) => start >= from && start < to;
  return (
    nearestPlace({ text, runs }, quote, from, (place) => onLine(place) && fits(place)) ??
    nearestPlace({ text, runs }, quote, from, fits)
  );
}
