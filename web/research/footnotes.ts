import { weakestOf } from '../../lib/api-contract/citation.ts';
import { placeNumbers } from '../../lib/api-contract/report-places.ts';
import type { CitingSentence } from '../chat/cited-sentence.ts';
import type { Citation } from '../chat/message-view.ts';
import type { Evidence, Research } from './research.ts';

/** The numbers of a report's cited evidence, in citation order, with one number per location. */
export interface Footnotes {
  numbers: Map<string, number>;
  /** The evidence for each number, and for each location that the pane steps through. */
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

/** Returns the evidence through which a location is opened: the first with the same number. */
export function placeOfId({ numbers, cited }: Footnotes, evidenceId: string): string {
  return cited[(numbers.get(evidenceId) ?? 0) - 1]?.id ?? evidenceId;
}

/** Returns how many cited quotes aren't in their sources, according to code. */
export function countNotFound({ cited }: Footnotes): number {
  return cited.filter(({ verified }) => !verified).length;
}

type Sentence = Research['sections'][number]['paragraphs'][number][number];

/** Returns the sentences of a report that cite an evidence's location, each with its own support. */
export function sentencesOf(
  { sections, counts }: Pick<Research, 'sections' | 'counts'>,
  { numbers }: Footnotes,
  { evidenceId, citation }: { evidenceId: string; citation: Citation },
): CitingSentence[] {
  const number = numbers.get(evidenceId);
  if (number === undefined) return [];
  const sentences = sections.flatMap(({ paragraphs }) => paragraphs.flat());
  return sentences
    .filter(({ evidence }) => evidence.some((id) => numbers.get(id) === number))
    .map((sentence, at) => ({
      text: sentence.text,
      citation: { ...citation, ...supportIn(sentence, citation, counts), nth: at + 1 },
    }));
}

/**
 * Returns the support of a sentence. A report's judge judges a sentence with all of its quotes rather than
 * each quote alone.
 */
function supportIn(
  { state, support, by, findings }: Pick<Sentence, 'state' | 'support' | 'by' | 'findings'>,
  { isMissing }: Citation,
  { judged = true }: Research['counts'],
): Pick<Citation, 'support' | 'by' | 'findings'> {
  if (isMissing) return { support: 'none' };
  if (state === 'marked')
    return { support: support ?? 'partial', ...(by && { by }), ...(findings && { findings }) };
  return { support: judged ? 'full' : 'unjudged' };
}

/**
 * Returns a citation for the sentence with this text. Without the text, returns it for the weakest sentence.
 */
export function asCited({ citation, sentences }: CitedPlace, text?: string): Citation {
  const own = sentences.find((each) => each.text === text);
  if (own !== undefined) return own.citation;
  const [first, ...others] = sentences.flatMap(({ citation: { support, ...rest } }) =>
    support === undefined ? [] : [{ ...rest, support }],
  );
  return first === undefined ? citation : weakestOf([first, ...others]);
}

/** A location that a report cites, in its current state, with the citing sentences. */
export interface CitedPlace {
  citation: Citation;
  sentences: CitingSentence[];
}

/** Returns the citation in the source panel's form. */
export function citationOf(evidence: Evidence, index: number, counts?: Research['counts']): Citation {
  const { workspaceId, path, startLine, endLine, quote, fileHash } = evidence;
  const place = placeOf(evidence);
  return {
    ...{ index, ...(workspaceId && { workspaceId }), path, startLine, endLine, quote },
    ...{ ...(fileHash !== undefined && { fileHash }) },
    ...(place && { place }),
    ...supportOf(evidence, counts),
  };
}

const SUPPORTS = { yes: 'full', partly: 'partial', no: 'none' } as const;

/**
 * Returns the support of a quote. A quote that isn't in its source supports nothing. Without a judge, the
 * support is unknown.
 */
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

/** Returns a source's date: when it was published, otherwise its year, otherwise when it was fetched. */
export function dateOf({ source }: Evidence): string | undefined {
  return source.publishedDate ?? source.year?.toString() ?? source.retrievedAt?.slice(0, 10);
}
