import { type StatedFacts, statedFacts } from '../stated-facts.ts';
import type { Archive } from './archive.ts';
import { entryOfType, readRelationships } from './relationships.ts';
import { readXml } from './xml.ts';

/** The maximum number of characters per property. Everything after them is skipped. */
const MAX_VALUE = 4000;
const MAX_VALUES = 100;

/** The elements of Dublin Core and of Office that are read, by their names without prefixes. */
const READ = new Set(
  'title creator subject keywords keyword identifier created creation-date date initial-creator generator Application'.split(
    ' ',
  ),
);

/** Reads the core and extended properties of an Office document (ECMA-376, part 2, 11). */
export async function readCoreProperties(archive: Archive): Promise<StatedFacts> {
  const relationships = await readRelationships(archive, '');
  const values = new Map<string, string[]>();
  for (const type of ['core-properties', 'extended-properties'])
    await readValues(archive, entryOfType(relationships, type) ?? '', values);
  return factsOf(values);
}

/** Reads `meta.xml` of an OpenDocument file. */
export async function readOpenProperties(archive: Archive): Promise<StatedFacts> {
  const values = new Map<string, string[]>();
  await readValues(archive, 'meta.xml', values);
  return factsOf(values);
}

/** Reads the metadata of a book's package, which its publisher wrote for readers. */
export async function readBookProperties(archive: Archive, entry: string): Promise<StatedFacts> {
  const values = new Map<string, string[]>();
  await readValues(archive, entry, values);
  return { ...factsOf(values), isPublished: true };
}

/** Of each element, only the first value that isn't empty counts, except in lists. */
async function readValues(archive: Archive, entry: string, values: Map<string, string[]>): Promise<void> {
  let text = '';
  await readXml(archive, entry, {
    open() {
      text = '';
    },
    text(piece) {
      if (text.length < MAX_VALUE) text += piece;
    },
    close(name) {
      const known = values.get(name) ?? [];
      if (READ.has(name) && text.trim() !== '' && known.length < MAX_VALUES)
        values.set(name, [...known, text]);
      text = '';
    },
  });
}

function factsOf(values: Map<string, string[]>): StatedFacts {
  const first = (...names: string[]) => names.flatMap((name) => values.get(name) ?? [])[0];
  const authors = values.get('initial-creator') ?? values.get('creator') ?? [];
  const tags = [...(values.get('keyword') ?? []), ...(first('keywords')?.split(/[,;]/) ?? [])];
  return statedFacts({
    title: first('title'),
    authors: authors.length === 1 ? authors[0]?.split(';') : authors,
    date: first('date', 'created', 'creation-date'),
    identifiers: [...(values.get('identifier') ?? []), first('subject')],
    tags,
    programs: [first('Application'), first('generator')],
  });
}
