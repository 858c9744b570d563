import { plainText, readBibFile } from '../../bibliography/bib-file.ts';
import { readEntry, toEntry } from '../../bibliography/entry.ts';
import { toReference } from '../../bibliography/match-entry.ts';
import { lettersOf } from '../../text/paper-identifiers.ts';
import { authorsIn, keysIn, NUMBERS, referenceNumbers } from '../references.ts';
import type { DraftFormat } from '../schema.ts';
import { listedEntries } from '../source-list.ts';
import type { CitedKey, DraftReference, DraftText } from './draft.ts';

export const MAX_REFERENCES = 500;

/** A draft as its file has it, with its text and sentences, and the sentences with the keys that LaTeX hides. */
interface Source extends Pick<DraftText, 'text' | 'sentences'> {
  format: DraftFormat;
  source: string;
  /** Undefined if the sentences show their keys. */
  keyed?: string[];
}

/**
 * Returns the entries of a draft's reference lists (in the text, in `thebibliography`, and in BibTeX), and the keys of
 * entries elsewhere.
 */
export function findReferences(draft: Source): { references: DraftReference[]; cited: CitedKey[] } {
  const keyed = [...bibliographyItems(draft), ...bibtexEntries(draft)];
  const listed = keyed.length > 0 ? [] : entriesInText(draft);
  const entries = [...keyed, ...listed].slice(0, MAX_REFERENCES);
  return { references: withCitations(draft, entries), cited: keysElsewhere(draft, entries) };
}

function keysElsewhere(draft: Source, entries: Uncited[]): CitedKey[] {
  const labels = new Set(entries.map(({ label }) => label));
  const cited = new Map<string, number[]>();
  for (const at of draft.sentences.keys())
    for (const [brackets] of writtenAt(draft, at).matchAll(/\[[^\]\n]{0,2000}@[^\]\n]{0,2000}\]/gu))
      for (const key of keysIn(brackets)) {
        const own = cited.get(key) ?? [];
        if (!labels.has(key) && own.at(-1) !== at + 1) cited.set(key, [...own, at + 1]);
      }
  return [...cited].slice(0, MAX_REFERENCES).map(([key, citedBy]) => ({ key, citedBy }));
}

/** Returns a sentence with its citations, which are markup in Markdown. */
function writtenAt({ text, sentences, keyed }: Source, at: number): string {
  const { start = 0, end = 0 } = sentences[at] ?? {};
  return keyed?.[at] ?? text.slice(start, end);
}

type Uncited = Omit<DraftReference, 'citedBy'>;

function entriesInText(draft: Source): Uncited[] {
  return listedEntries(draft)
    .slice(0, MAX_REFERENCES)
    .map(({ text, number, start, end }) => ({ ...readEntry(text), label: number, start, end }));
}

const ITEM = /\\bibitem\s*(?:\[[^\]\n]{0,300}\])?\s*\{([^{}\n]{1,200})\}/g;

function bibliographyItems({ format, source }: Source): Uncited[] {
  if (format !== 'tex') return [];
  const begin = source.indexOf('\\begin{thebibliography}');
  const end = source.indexOf('\\end{thebibliography}', begin);
  if (begin === -1) return [];
  const list = source.slice(begin, end === -1 ? source.length : end);
  const items = [...list.matchAll(ITEM)].slice(0, MAX_REFERENCES);
  return items.map(({ 0: mark, 1: key = '', index }, at) => {
    const written = list.slice(index + mark.length, items[at + 1]?.index ?? list.length);
    return { ...readEntry(textOfItem(written.slice(0, MAX_ITEM))), label: key.trim() };
  });
}

const MAX_ITEM = 4000;

function textOfItem(written: string): string {
  const shown = written
    .replace(/(?<!\\)%[^\n]*/g, '')
    .replace(/\\href\s*\{([^{}]{0,500})\}/g, ' $1 ')
    .replace(/``|''/g, '"')
    .replace(/\\newblock/g, ' ');
  return plainText(shown);
}

/** A pasted bibliography, or one in `filecontents`. */
function bibtexEntries({ source, format }: Source): Uncited[] {
  if (format === 'docx' || format === 'html' || !/^\s*@[a-z]+\s*[{(]/im.test(source)) return [];
  const entries = readBibFile(source).take(MAX_REFERENCES);
  return [...entries].map((entry) => ({ ...toEntry(toReference(entry, '')), label: entry.key }));
}

/** Adds the sentences that cite each entry: by number, by key, or by author and year. */
function withCitations(draft: Source, entries: Uncited[]): DraftReference[] {
  const cited = entries.map((): number[] => []);
  const byLabel = new Map(entries.map(({ label }, at) => [label ?? '', at]));
  const isListed = (start: number) =>
    entries.some((entry) => (entry.start ?? Number.POSITIVE_INFINITY) <= start && start < (entry.end ?? 0));
  for (const [at, { start }] of draft.sentences.entries()) {
    if (isListed(start)) continue;
    const shown = writtenAt(draft, at);
    const places = new Set([
      ...[...numbersIn(shown), ...keysIn(shown)].flatMap((label) => byLabel.get(label) ?? []),
      ...authorsIn(shown).flatMap((named) => placesOf(entries, named)),
    ]);
    for (const place of places) cited[place]?.push(at + 1);
  }
  return entries.map((entry, at) => ({ ...entry, citedBy: cited[at] ?? [] }));
}

function placesOf(entries: Uncited[], { author, year }: { author: string; year: string }): number[] {
  const name = lettersOf(author);
  return entries.flatMap((entry, at) =>
    String(entry.year) === year && lettersOf(entry.names).startsWith(name) ? [at] : [],
  );
}

function numbersIn(sentence: string): string[] {
  const found = [...sentence.matchAll(NUMBERS)].flatMap(({ groups }) =>
    referenceNumbers(groups?.numbers ?? ''),
  );
  return found.map(String);
}

const CITE = /\\[a-zA-Z]{0,12}cite[a-zA-Z]{0,12}\*?\s*(?:\[[^\]\n]{0,300}\]\s*){0,2}\{([^{}]{1,2000})\}/gi;

/** Writes the keys of a LaTeX source as text, because its citations aren't shown. */
export function showKeys(source: string): string {
  return source.replace(CITE, (_, keys: string) => {
    const shown = keys.split(',').map((key) => `@${key.trim()}`);
    return ` [${shown.join('; ')}]`;
  });
}
