import type { TextRun } from '../../formats/format.ts';
import { lineStarts } from '../../formats/lines.ts';
import { cutsSomething } from './cut-ends.ts';
import { nearestPlace } from './nearest.ts';

export interface QuoteHint {
  /** The claimed line of the quote, from 1: of several occurrences the nearest is taken. */
  line?: number | undefined;
  /** The readable parts of the text (`runs` of a source); default: all of it. Text hidden in markup can't be quoted. */
  runs?: TextRun[] | undefined;
}

/**
 * Finds the exact position of a quote. A match that starts or ends within a word or a number doesn't count: `5 %` doesn't
 * appear in `15 %`. The line that a model claims only chooses between matches.
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
