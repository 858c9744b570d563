import { foldForSearch } from '../../lib/api-contract/fold-text.ts';

interface Named {
  text: string;
}

const MAX_SHOWN = 40;
const MAX_WORDS = 8;

/**
 * Returns the entries whose text contains every word, in any order: first those that start with the first
 * word, then those in which another word starts with it, then the rest. Entries of equal rank keep their
 * order.
 */
export function rank<Each extends Named>(commands: Each[], typed: string): Each[] {
  const words = foldForSearch(typed).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const ranked = commands.flatMap((command) => {
    const place = placeOf(foldForSearch(command.text), words);
    return place === undefined ? [] : [{ command, place }];
  });
  ranked.sort((one, other) => one.place - other.place);
  return ranked.slice(0, MAX_SHOWN).map(({ command }) => command);
}

function placeOf(text: string, words: string[]): number | undefined {
  if (!words.every((word) => text.includes(word))) return undefined;
  const [first = ''] = words;
  if (text.startsWith(first)) return 0;
  return text.includes(` ${first}`) ? 1 : 2;
}
