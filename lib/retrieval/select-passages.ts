import type { ScoredPassage } from '../ports/vectors.ts';
import { namesFile } from './rank/names.ts';

const MAX_PASSAGES = 12;
const MAX_CHARACTERS = 16_000;
/** The value of the next passage of a file relative to the previous one: several files come before many passages of one. */
const NEXT_OF_FILE = 0.8;

/**
 * Selects the best passages that fit into a prompt. A text that occurs in several files is offered once; a long file takes all
 * places only if the question names it or nothing else is near. Adjacent passages are merged.
 */
export function selectPassages(ranked: ScoredPassage[], question = ''): ScoredPassage[] {
  const selected: ScoredPassage[] = [];
  const texts = new Set<string>();
  let left = MAX_CHARACTERS;
  for (const passage of spread(ranked, question)) {
    if (selected.length === MAX_PASSAGES) break;
    const { text } = passage;
    if (text.length > left || texts.has(text)) continue;
    selected.push(passage);
    texts.add(text);
    left -= text.length;
  }
  return joinNeighbors(selected);
}

/** Reorders the passages: each further one of a file counts less. */
function spread(ranked: ScoredPassage[], question: string): ScoredPassage[] {
  const counts = new Map<string, number>();
  const worth = ranked.map((passage) => {
    const count = counts.get(passage.path) ?? 0;
    counts.set(passage.path, count + 1);
    const isNamed = namesFile(question, passage.path);
    return { passage, worth: isNamed ? passage.score + 1 : passage.score * NEXT_OF_FILE ** count };
  });
  return worth.sort((a, b) => b.worth - a.worth).map(({ passage }) => passage);
}

/** Puts each merged run where its best passage was. */
function joinNeighbors(selected: ScoredPassage[]): ScoredPassage[] {
  const places = new Map(selected.map((passage) => [keyOf(passage), passage]));
  const joined: ScoredPassage[] = [];
  for (const passage of selected) {
    if (!places.has(keyOf(passage))) continue;
    let first = passage;
    for (let before = neighbor(places, first, -1); before; before = neighbor(places, first, -1))
      first = before;
    let whole = take(places, first);
    for (let next = neighbor(places, first, 1); next; next = neighbor(places, first, 1)) {
      first = take(places, next);
      whole = join(whole, next);
    }
    joined.push({ ...whole, score: passage.score });
  }
  return joined;
}

function keyOf({ path, chunk }: ScoredPassage): string {
  return `${path}#${chunk}`;
}

function take(places: Map<string, ScoredPassage>, passage: ScoredPassage): ScoredPassage {
  places.delete(keyOf(passage));
  return passage;
}

/** Returns the selected passage before or after one, of the same version and part of its file. */
function neighbor(
  places: Map<string, ScoredPassage>,
  passage: ScoredPassage,
  step: 1 | -1,
): ScoredPassage | undefined {
  const other = places.get(keyOf({ ...passage, chunk: passage.chunk + step }));
  if (other?.fileHash !== passage.fileHash) return undefined;
  return JSON.stringify(other.part) === JSON.stringify(passage.part) ? other : undefined;
}

/** Only whitespace was lost between them. A quote is within a paragraph, so it never crosses the seam. */
function join(first: ScoredPassage, next: ScoredPassage): ScoredPassage {
  const { endLine, endChar } = next;
  return { ...first, text: `${first.text}\n\n${next.text}`, endLine, endChar };
}
