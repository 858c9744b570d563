import { setImmediate as nextTurn } from 'node:timers/promises';
import { sentencesOf } from '../api-contract/cited-sentences.ts';
import { type FactKind, readFacts } from '../claims/facts.ts';

/** A sentence of an answer that states numbers or dates, and cites nothing. */
export interface UncitedSentence {
  /** Its place in the text of the answer, in UTF-16 units. */
  start: number;
  end: number;
  text: string;
}

const MAX_LISTED = 50;
/** Sentences that are read: each takes about a millisecond. */
const MAX_READ = 300;
const MAX_TEXT = 300;
const FACTS: FactKind[] = ['number', 'unit', 'date'];

/** Lists the sentences that hold facts and cite nothing, without headings and without lead-ins of a list. */
export async function listUncited(answer: string): Promise<UncitedSentence[]> {
  const uncited: UncitedSentence[] = [];
  const open = sentencesOf(answer).filter(({ isCited }) => !isCited);
  for (const { start, end, text } of open.slice(0, MAX_READ)) {
    if (uncited.length >= MAX_LISTED) break;
    if (isHeading(answer, start) || /[:：]$/.test(text) || !/\p{L}/u.test(text)) continue;
    await nextTurn();
    const { kinds } = readFacts(text);
    if (FACTS.some((kind) => kinds.has(kind)))
      uncited.push({ start, end, text: text.slice(0, MAX_TEXT).toWellFormed() });
  }
  return uncited;
}

function isHeading(answer: string, start: number): boolean {
  const line = answer.slice(answer.lastIndexOf('\n', start - 1) + 1, start + 8);
  return /^\s{0,3}#{1,6}\s/.test(line);
}
