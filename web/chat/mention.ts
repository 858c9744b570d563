import { foldForSearch } from '../../lib/api-contract/fold-text.ts';
import type { Entry } from '../files/tree-rows.ts';

export interface Mention {
  /** The position of the `@`. */
  start: number;
  /** The folder typed so far; empty for the workspace. */
  folder: string;
  name: string;
}

const MAX_LENGTH = 500;

/** Returns the path being typed after an `@` that isn't inside a word, as in an email address. */
export function mentionAt(text: string, caret: number): Mention | undefined {
  const before = text.slice(Math.max(0, caret - MAX_LENGTH), caret);
  const typed = /(?:^|[\s(（，。、])@([^\s@]*)$/u.exec(before)?.[1];
  if (typed === undefined) return undefined;
  const slash = typed.lastIndexOf('/');
  return {
    start: caret - typed.length - 1,
    folder: typed.slice(0, Math.max(0, slash)),
    name: typed.slice(slash + 1),
  };
}

const SHOWN = 8;

/** Returns the entries of a folder that contain the typed letters; those that start with them come first. */
export function matching(entries: readonly Entry[], typed: string): Entry[] {
  const letters = foldForSearch(typed);
  const beginsSo = ({ name }: Entry) => Number(foldForSearch(name).startsWith(letters));
  return entries
    .filter(({ name }) => foldForSearch(name).includes(letters))
    .sort((one, other) => beginsSo(other) - beginsSo(one))
    .slice(0, SHOWN);
}
