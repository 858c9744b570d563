import { lineAt } from '../../formats/lines.ts';
import { findExactQuote } from '../../retrieval/cite/locate.ts';
import type { Evidence, Report } from '../schema.ts';
import { type Places, readStudied } from '../work/source-files.ts';
import type { Study } from '../work/study.ts';
import { citedEvidence } from './cited-evidence.ts';
import { EXTRACTS_STEP, type Extract } from './extract.ts';

/** The number of quotes per step. Extracts are a few kilobytes each, and a step is one record. */
const QUOTES_A_STEP = 40;
/** The maximum number of characters on either side of a quote: a passage, not a copy of the source. */
const MAX_AROUND = 300;

/** Matches a partial word at a cut. Some scripts have no spaces, so the length is limited. */
const CUT_START = /^\S{0,40}\s+/;
const CUT_END = /\s+\S{0,40}$/;

/** Stores the passages around the cited quotes, because the files may have changed before an export. */
export async function keepExtracts(
  study: Places & Pick<Study, 'ports' | 'steps'>,
  report: Report,
): Promise<void> {
  const cited = citedEvidence(report);
  for (let at = 0; at < cited.length; at += QUOTES_A_STEP) {
    const some = cited.slice(at, at + QUOTES_A_STEP);
    await study.steps.once(
      EXTRACTS_STEP,
      some.map(({ id }) => id),
      async () => {
        const found = some.map(async (each) => [each.id, await findExtract(study, each)] as const);
        return Object.fromEntries((await Promise.all(found)).filter(([, extract]) => extract !== undefined));
      },
    );
  }
}

/** Undefined if the file no longer has the quote at that place. */
async function findExtract(
  study: Places & Pick<Study, 'ports'>,
  evidence: Evidence,
): Promise<Extract | undefined> {
  const { quote, startLine } = evidence;
  const file = await readStudied(study, evidence);
  const place = file && findExactQuote(file, quote, startLine);
  if (file === undefined || place === undefined) return undefined;
  if (lineAt(file.lines, place.start) !== startLine) return undefined;
  return { fileHash: file.hash, ...cutExtract(file.text, file.lines, place) };
}

/** Returns the passage around a quote, from and to a whole word. */
export function cutExtract(
  text: string,
  lines: number[],
  place: { start: number; end: number },
): Omit<Extract, 'fileHash'> {
  const before = text.slice(Math.max(0, place.start - MAX_AROUND), place.start);
  const after = text.slice(place.end, place.end + MAX_AROUND);
  const left = before.length < MAX_AROUND ? before : before.replace(CUT_START, '');
  const right = after.length < MAX_AROUND ? after : after.replace(CUT_END, '');
  const from = place.start - left.length;
  return {
    text: text.slice(from, place.end + right.length).toWellFormed(),
    firstLine: lineAt(lines, from),
    start: left.length,
  };
}
