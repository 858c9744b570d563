import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachConcurrent } from '../../../lib/async/for-each-concurrent.ts';

const WORDS = 30_000;
const CHARACTERS = 780;
const FILES_PER_FOLDER = 200;
const WRITES_AT_ONCE = 16;
/** Ranks by frequency from which a question takes its words: no stop words, and not only rare words. */
const ASKED = { from: 20, to: 3000 };

export interface ShortText {
  path: string;
  text: string;
}

/** Returns the same numbers for the same seed, from 0 to below 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SYLLABLES = [
  'ka',
  'lo',
  'mir',
  'ten',
  'su',
  'vel',
  'dro',
  'pan',
  'ghi',
  'bor',
  'nex',
  'ul',
  'fa',
  'ris',
  'cy',
];

/** Returns the word of a rank, which is pronounceable and unique. */
function wordOf(rank: number): string {
  let word = '';
  for (let left = rank + 1; left > 0; left = Math.floor(left / SYLLABLES.length))
    word += SYLLABLES[left % SYLLABLES.length];
  return word;
}

/** Draws a rank by Zipf's law: the probability is inverse to the rank. */
function zipf(random: () => number): number {
  return Math.floor((WORDS + 1) ** random()) - 1;
}

/** Returns the word that occurs only in one text. */
function needleOf(index: number): string {
  return `needle${index}q`;
}

/** Returns a short text of words with the frequencies of a language, and one word that no other text has. */
export function shortText(index: number): ShortText {
  const random = randomFrom(index + 1);
  const words = [`# ${wordOf(zipf(random))} ${needleOf(index)}\n\n`];
  for (let length = words[0]?.length ?? 0; length < CHARACTERS; ) {
    const word = `${wordOf(zipf(random))}${random() < 0.08 ? '. ' : ' '}`;
    words.push(word);
    length += word.length;
  }
  const path = `folder-${Math.floor(index / FILES_PER_FOLDER)}/note-${index}.md`;
  return { path, text: `${words.join('').trim()}.\n` };
}

/** Returns the words of a question. Every fourth question asks for a single text. */
export function questionOf(index: number, files: number): string {
  const random = randomFrom(1_000_000 + index);
  const { from, to } = ASKED;
  const words = Array.from({ length: 2 + (index % 3) }, () =>
    wordOf(Math.floor(from * (to / from) ** random())),
  );
  return index % 4 === 0 ? `${needleOf((index * 7919) % files)} ${words[0]}` : words.join(' ');
}

/** Writes the texts as files, and returns their bytes. */
export async function writeTexts(folder: string, files: number): Promise<number> {
  let bytes = 0;
  for (let first = 0; first < files; first += FILES_PER_FOLDER)
    await mkdir(join(folder, `folder-${first / FILES_PER_FOLDER}`), { recursive: true });
  await forEachConcurrent(Array(files).keys(), WRITES_AT_ONCE, async (index) => {
    const { path, text } = shortText(index);
    bytes += text.length;
    await writeFile(join(folder, path), text);
  });
  return bytes;
}
