import type { ScoredPassage } from '../ports/vectors.ts';

const MAX_PASSAGES = 12;
const MAX_CHARACTERS = 16_000;

/** The best passages that fit into a prompt. A text that stands in several files is offered once. */
export function selectPassages(ranked: ScoredPassage[]): ScoredPassage[] {
  const selected: ScoredPassage[] = [];
  const texts = new Set<string>();
  let left = MAX_CHARACTERS;
  for (const passage of ranked) {
    if (selected.length === MAX_PASSAGES) break;
    const { text } = passage;
    if (text.length > left || texts.has(text)) continue;
    selected.push(passage);
    texts.add(text);
    left -= text.length;
  }
  return selected;
}
