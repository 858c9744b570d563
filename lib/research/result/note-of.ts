import { fitsInNote } from '../../notes/create.ts';
import type { Report } from '../schema.ts';
import { toMarkdown } from './markdown.ts';

/** The maximum lengths of a quote, in characters, to try for a note that can't hold all quotes in full. */
const QUOTE_LENGTHS = [400, 100];

/**
 * Returns a report as the content of a note. If necessary, it is shortened, with a remark. The result always
 * fits into a note.
 */
export function noteOf(report: Report): string {
  for (const part of partsOf(report)) {
    const content = toMarkdown(part, { shortened: part !== report, withLines: true });
    if (fitsInNote(content)) return content;
  }
  throw new Error('not even the head of a report is short enough for a note');
}

/**
 * Yields ever shorter reports, from the complete one to the head alone. The least important parts are dropped first.
 */
function* partsOf(report: Report): Generator<Report> {
  yield report;
  const { sections } = report;
  let rest: Report = { ...report, looked: [] };
  yield rest;
  for (const length of QUOTE_LENGTHS) {
    rest = withShortQuotes(rest, length);
    yield rest;
  }
  rest = { ...rest, evidence: rest.evidence.map(({ contradicts: _, ...each }) => each) };
  for (let count = sections.length; count > 0; count--) yield { ...rest, sections: sections.slice(0, count) };
  const [first = { questionId: null, heading: '', paragraphs: [] }] = sections;
  for (let count = first.paragraphs.length; count > 0; count = Math.floor(count * 0.8))
    yield { ...rest, sections: [{ ...first, paragraphs: first.paragraphs.slice(0, count) }] };
  yield { ...rest, sections: [] };
}

function withShortQuotes(report: Report, length: number): Report {
  const evidence = report.evidence.map((each) => {
    const { quote } = each;
    return quote.length <= length ? each : { ...each, quote: `${quote.slice(0, length).toWellFormed()}…` };
  });
  return { ...report, evidence };
}
