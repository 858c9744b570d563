import { basename, extname } from 'node:path/posix';
import type { Passage } from '../../ports/vectors.ts';
import { nextPlace } from '../../text/next-place.ts';

interface Name {
  /** The name in lower case. */
  text: string;
  /** The numbers of the file's passages, from 1. */
  numbers: number[];
  /** False if the extension is missing, because the words may then mean something else. */
  isWhole: boolean;
}

/** The names in a text, and the rest of the text. */
export interface FoundNames {
  names: Name[];
  rest: string;
}

/** The minimum length of a name without its extension. A shorter one is an ordinary word. */
const MIN_STEM = 4;

/** The names of the passages' files, in the forms that an answer may use. */
export class PassageNames {
  readonly #names: Name[];

  constructor(passages: readonly Passage[]) {
    const names = new Map<string, Name>();
    for (const [at, { path }] of passages.entries()) {
      const file = basename(path);
      const stem = basename(file, extname(file));
      for (const text of new Set([path, file, stem].map((each) => each.toLowerCase()))) {
        const isWhole = text !== stem.toLowerCase() || stem === file;
        if (!isWhole && stem.length < MIN_STEM) continue;
        const name = names.get(text) ?? { text, numbers: [], isWhole };
        name.numbers.push(at + 1);
        names.set(text, name);
      }
    }
    this.#names = [...names.values()].toSorted((one, other) => other.text.length - one.text.length);
  }

  /** Returns true if a name may start like this, or the text already ends in a name. */
  mayBegin(text: string): boolean {
    const lower = text.replace(/^[\s`*"“]+/, '').toLowerCase();
    return this.#names.some((name) => name.text.startsWith(lower) || lower.includes(name.text));
  }

  /** Returns the file names in a text. A name without its extension counts only if it is the whole text. */
  find(text: string): FoundNames {
    const names: Name[] = [];
    let rest = text.toLowerCase();
    for (const name of this.#names) {
      const at = name.isWhole || rest === name.text ? indexOfWord(rest, name.text) : -1;
      if (at < 0) continue;
      names.push(name);
      rest = rest.split(name.text).join(' ');
    }
    return { names, rest };
  }
}

const IN_NAME = /[\p{L}\p{M}\p{N}]/u;

function indexOfWord(text: string, word: string): number {
  for (let at = nextPlace(text, word); at !== -1; at = nextPlace(text, word, at)) {
    const [before = '', after = ''] = [text[at - 1], text[at + word.length]];
    if (!IN_NAME.test(before) && !IN_NAME.test(after)) return at;
  }
  return -1;
}
