import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Passage } from '../../ports/vectors.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { type Cited, citeSentences, MAX_PAIRS, type SentenceCitation } from './cite.ts';
import { OfferedPassages } from './offered-passages.ts';
import type { SourcePorts } from './sources.ts';
import { standsFor } from './stands-for.ts';
import { openSentences, type UncitedSentence } from './uncited.ts';

/**
 * From this score, a passage is the source of a sentence. Of 349 claims of WiCE's dev split, each with 12 passages, it chose 180
 * passages, 177 of them among those that were marked as evidence; docs/architecture/benchmarks.md has the other values.
 */
const LEAST_SCORE = 0.3;
/** Sentences that are looked at, and those that are compared with their files. */
const MAX_SENTENCES = 200;

/** Of what follows a sentence on its line. */
const MAX_CODE = 200;

/** A sentence with the passage that the service found for it. */
export interface FoundCitation extends SentenceCitation {
  sentence: UncitedSentence;
}

interface Found extends Cited {
  sentence: UncitedSentence;
}

/**
 * Finds the passage of each sentence of an answer that cites nothing, among those that the model was given. A wrong one is worse than none:
 * one counts only if it says most of the sentence, and if no fact of the sentence is missing from it or said otherwise. `first` is the
 * first number of such a citation.
 */
export async function attributeSentences(
  ports: SourcePorts,
  workspace: Workspace,
  { text, offered, first }: { text: string; offered: Passage[]; first: number },
): Promise<FoundCitation[]> {
  const found = await findPassages(text, offered);
  const cited = await citeSentences(ports, workspace, found, offered);
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

/** Code isn't compared otherwise. What ends a line may belong to the sentence. */
function codesIn(text: string, { start, end }: UncitedSentence): string[] {
  const rest = /^[^\n.!?。！？]*/.exec(text.slice(end, end + MAX_CODE))?.[0] ?? '';
  return [...(text.slice(start, end) + rest).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
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
