import type { Passage } from '../../ports/vectors.ts';
import { OfferedPassages } from '../../retrieval/cite/offered-passages.ts';
import { numberByFirstUse, type UsedNumbers } from '../../retrieval/markers/number-by-first-use.ts';
import type { ShownText } from '../../ui-messages/text-blocks.ts';

/**
 * The numbered results of a run's tools, and the citations of them in its texts. Stored with the run, which may last
 * for days.
 */
export interface CitedPassages extends UsedNumbers {
  /** The numbered passages, starting with number 1. */
  offered: Passage[];
  /** The texts of the model, as readers see them. */
  text: string;
}

/**
 * The maximum number of a passage, because a marker has at most three digits. Later passages get no number.
 */
const MAX_NUMBERED = 999;

export function noPassages(): CitedPassages {
  return { offered: [], passages: [], unknown: [], text: '' };
}

/** Returns the number of a tool's passage. A passage that was returned before has the same number again. */
export function numberPassage({ offered }: CitedPassages, passage: Passage): number | undefined {
  const known = offered.findIndex((each) => isSame(each, passage));
  if (known >= 0) return known + 1;
  if (offered.length >= MAX_NUMBERED) return undefined;
  // Omits other fields that a store may have added, because the run would store them too.
  const { path, chunk, fileHash, text, startLine, endLine, startChar, endChar, part, context } = passage;
  return offered.push({ path, chunk, fileHash, text, startLine, endLine, startChar, endChar, part, context });
}

function isSame(one: Passage, other: Passage): boolean {
  return (
    one.path === other.path &&
    one.fileHash === other.fileHash &&
    one.startChar === other.startChar &&
    one.endChar === other.endChar
  );
}

/**
 * Renumbers a text by first use, and stores it. As long as no passage has a number, brackets mean something
 * else and stay.
 */
export function showText(cited: CitedPassages): ShownText {
  const { offered, text, passages, unknown } = cited;
  const undo = () => {
    cited.text = text;
    passages.splice(used);
    unknown.splice(unnamed);
  };
  const [used, unnamed] = [passages.length, unknown.length];
  const numbered = offered.length === 0 ? PLAIN : numberByFirstUse(new OfferedPassages(offered), cited);
  const keep = (text: string) => {
    cited.text += text;
    return text;
  };
  if (cited.text !== '') cited.text += '\n\n';
  return { add: (delta) => keep(numbered.add(delta)), end: () => keep(numbered.end()), undo };
}

const PLAIN: ShownText = { add: (delta) => delta, end: () => '' };

/** Returns the passages that are cited as 1, 2, 3. */
export function usedPassages({ offered, passages }: CitedPassages): Passage[] {
  return passages.flatMap((number) => offered[number - 1] ?? []);
}
