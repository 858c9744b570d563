import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Passage } from '../../ports/vectors.ts';
import { type Cited, citeSentences, MAX_PAIRS, type SentenceCitation } from './cite.ts';
import type { SourceWorkspaces } from './find-place.ts';
import { OfferedPassages } from './offered-passages.ts';
import type { SourcePorts } from './sources.ts';
import { standsFor } from './stands-for.ts';
import { openSentences, type UncitedSentence } from './uncited.ts';

/**
 * The minimum score at which a passage counts as the source of a sentence. For 349 claims of WiCE's dev split
 * with 12 passages each, it selected 180 passages, 177 of which were marked as evidence.
 * docs/architecture/benchmarks.md has the results for other values.
 */
const LEAST_SCORE = 0.3;
/** The maximum number of sentences to examine, and the maximum of these to compare with their files. */
const MAX_SENTENCES = 200;

/** The maximum number of characters read after a sentence on its line. */
const MAX_CODE = 200;

/** A sentence with the passage that the service found for it. */
export interface FoundCitation extends SentenceCitation {
  sentence: UncitedSentence;
}

interface Found extends Cited {
  sentence: UncitedSentence;
}

/**
 * Finds a passage for each sentence of an answer that cites nothing, among the passages that the model was
 * given. A wrong source is worse than a missing one, so a passage counts only if it says most of the
 * sentence, and neither lacks nor contradicts any of its facts. `first` is the number of the first such
 * citation.
 */
export async function attributeSentences(
  ports: SourcePorts,
  workspaces: SourceWorkspaces,
  { text, offered, first }: { text: string; offered: Passage[]; first: number },
): Promise<FoundCitation[]> {
  const found = await findPassages(text, offered);
  const cited = await citeSentences(ports, workspaces, found, offered);
  const numbers = new Map<number, number>();
  return cited.flatMap((each, at) => {
    const { sentence, passage } = found[at] ?? {};
    const { citation } = each;
    if (sentence === undefined || passage === undefined || !isSupporting(citation)) return [];
    const source = { quote: citation.quote, passage: `${passage.context}\n${passage.text}` };
    if (!standsFor(source, sentence.text)) return [];
    const index = numbers.get(citation.index) ?? first + numbers.size;
    numbers.set(citation.index, index);
    return [{ ...each, citation: { ...citation, index }, sentence }];
  });
}

function isSupporting({ support }: SentenceCitation['citation']): boolean {
  return support === 'unjudged' || support === 'full';
}

/**
 * Returns the code in and after a sentence, which isn't compared in any other way. Code at the end of a line
 * may belong to the sentence.
 */
function codesIn(text: string, { start, end }: UncitedSentence): string[] {
  const rest = /^[^\n.!?。！？]*/.exec(text.slice(end, end + MAX_CODE))?.[0] ?? '';
  return [...(text.slice(start, end) + rest).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** Returns the passages that sentences without a marker may come from, before they are compared with their files. */
export async function likelySources(text: string, offered: Passage[]): Promise<Passage[]> {
  return (await findPassages(text, offered)).map(({ passage }) => passage);
}

async function findPassages(text: string, offered: Passage[]): Promise<Found[]> {
  const passages = new OfferedPassages(offered);
  const found: Found[] = [];
  for (const sentence of openSentences(text).slice(0, MAX_SENTENCES)) {
    await nextTurn();
    const claim = sentence.text;
    const best = [...passages.scoresOf(claim)].toSorted(([, one], [, other]) => other - one)[0];
    const passage = best && offered[best[0]];
    if (found.length === MAX_PAIRS) break;
    if (passage === undefined || best === undefined || best[1] < LEAST_SCORE) continue;
    if (!codesIn(text, sentence).every((code) => passages.says(best[0] + 1, code))) continue;
    found.push({ index: best[0] + 1, passage, claim, sentence });
  }
  return found;
}
