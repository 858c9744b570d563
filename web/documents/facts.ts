import type { Correction, Document, DocumentLookup } from './queries.ts';

/** The facts that people may correct, in the order of the form. */
export const FACTS = ['title', 'authors', 'year', 'doi', 'tags', 'citeKey'] as const;
export type Fact = (typeof FACTS)[number];

/** Facts as their fields show them. A list has an item per line. */
export type FactTexts = Record<Fact, string>;

type Values = { [Name in Fact]?: Document[Name] | null | undefined };

export function textsOf(document: Values): FactTexts {
  return Object.fromEntries(FACTS.map((fact) => [fact, textOf(document[fact])])) as FactTexts;
}

export function textOf(value: Values[Fact]): string {
  return Array.isArray(value) ? value.join('\n') : `${value ?? ''}`;
}

/**
 * Returns what to send: the fields that differ from the document, and those that get back the value that the file states. An
 * empty field has the value of the file, too.
 */
export function correctionOf(document: Document, texts: FactTexts, given: ReadonlySet<Fact>): Correction {
  const before = textsOf(document);
  const changed = FACTS.filter((fact) => given.has(fact) || texts[fact].trim() !== before[fact]);
  return Object.fromEntries(
    changed.map((fact) => [fact, given.has(fact) ? null : readText(fact, texts[fact].trim())]),
  );
}

function readText(fact: Fact, text: string): string | number | string[] | null {
  if (fact === 'authors' || fact === 'tags')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  if (text === '') return null;
  if (fact === 'year') return Number(text);
  return fact === 'doi' ? text.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '') : text;
}

/** The facts that a record may have. */
export const FOUND_FACTS = ['title', 'authors', 'year', 'doi'] as const satisfies Fact[];

/** Returns the facts of a record that differ from the texts in the form. */
export function differencesIn(
  record: NonNullable<DocumentLookup['record']>,
  texts: FactTexts,
): { fact: (typeof FOUND_FACTS)[number]; text: string }[] {
  return FOUND_FACTS.map((fact) => ({ fact, text: textOf(record[fact]) })).filter(
    ({ fact, text }) => text !== '' && text !== texts[fact].trim(),
  );
}
