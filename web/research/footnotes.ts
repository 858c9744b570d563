import { placeNumbers } from '../../lib/api-contract/report-places.ts';
import type { Citation } from '../chat/message-view.ts';
import type { Evidence, Research } from './research.ts';

/** The numbers of the evidence that the report names, in the order in which it does: one number per place. */
export interface Footnotes {
  numbers: Map<string, number>;
  /** The evidence of each number, and of each place that the pane steps through. */
  cited: Evidence[];
}

export function numberFootnotes({ sections, evidence }: Pick<Research, 'sections' | 'evidence'>): Footnotes {
  const { numberOf, cited } = placeNumbers(evidence);
  const named = sections.flatMap(({ paragraphs }) =>
    paragraphs.flat().flatMap((sentence) => sentence.evidence),
  );
  const numbers = new Map(
    named.flatMap((id) => {
      const number = numberOf(id);
      return number === undefined ? [] : [[id, number] as const];
    }),
  );
  return { numbers, cited: cited() };
}

/** Evidence by which a place is opened: the first with its number. */
export function placeOfId({ numbers, cited }: Footnotes, evidenceId: string): string {
  return cited[(numbers.get(evidenceId) ?? 0) - 1]?.id ?? evidenceId;
}

/** How many cited quotes code didn't find in their sources. */
export function countNotFound({ cited }: Footnotes): number {
  return cited.filter(({ verified }) => !verified).length;
}

/** The first sentence of the report that names a piece of evidence. */
export function sentenceOf({ sections }: Pick<Research, 'sections'>, evidenceId: string): string | undefined {
  const sentences = sections.flatMap(({ paragraphs }) => paragraphs.flat());
  return sentences.find(({ evidence }) => evidence.includes(evidenceId))?.text;
}

/** The citation as the panel of a source shows it. */
export function citationOf(evidence: Evidence, index: number, counts?: Research['counts']): Citation {
  const { path, startLine, endLine, quote, fileHash } = evidence;
  const place = placeOf(evidence);
  return {
    ...{ index, path, startLine, endLine, quote, ...(fileHash !== undefined && { fileHash }) },
    ...(place && { place }),
    ...supportOf(evidence, counts),
  };
}

const SUPPORTS = { yes: 'full', partly: 'partial', no: 'none' } as const;

/** A quote that isn't in its source supports nothing. Where no model judged, no one said what a quote supports. */
export function supportOf(
  { verified, supports }: Evidence,
  { judged = true }: Partial<Research['counts']> = {},
): Pick<Citation, 'support' | 'isMissing'> {
  if (!verified) return { support: 'none', isMissing: true };
  return { support: judged ? SUPPORTS[supports] : 'unjudged' };
}

function placeOf({ page, slide, sheet, cell }: Evidence): Citation['place'] {
  if (page !== undefined) return { kind: 'page', at: String(page) };
  if (slide !== undefined) return { kind: 'slide', at: String(slide) };
  if (sheet !== undefined) return { kind: 'sheet', at: sheet };
  return cell === undefined ? undefined : { kind: 'cell', at: String(cell) };
}

/** Returns contradicting evidence in pairs, each pair once. */
export function contradictions(evidence: Evidence[]): [Evidence, Evidence][] {
  const byId = new Map(evidence.map((each) => [each.id, each]));
  const pairs = new Map<string, [Evidence, Evidence]>();
  for (const one of evidence)
    for (const id of one.contradicts ?? []) {
      const other = byId.get(id);
      if (other === undefined || other === one) continue;
      const key = [one.id, other.id].sort().join(' ');
      if (!pairs.has(key)) pairs.set(key, [one, other]);
    }
  return [...pairs.values()];
}

/** The day of a source: of its publication, else its year, else when it was fetched. */
export function dateOf({ source }: Evidence): string | undefined {
  return source.publishedDate ?? source.year?.toString() ?? source.retrievedAt?.slice(0, 10);
}
