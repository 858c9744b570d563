import * as z from 'zod';
import { SEARCH_KINDS } from '../api-contract/file-kinds.ts';
import { documentFactsSchema } from '../formats/document-schema.ts';
import { factText } from '../formats/stated-facts.ts';
import { collection } from '../records/collection.ts';

const MAX_TEXT = 500;
const MAX_AUTHORS = 100;
const MAX_TAGS = 50;

/**
 * One line, without control characters and characters that reorder text, because it is shown next to file
 * names.
 */
const line = z.string().max(MAX_TEXT).overwrite(factText).min(1);

/** Keys that every reader of BibTeX accepts. */
const CITE_KEY = /^[^\s{}(),"#%~\\'=@]{1,200}$/;

/** Returns whether texts can cite a document with a key, because those of RIS and CSL-JSON may be anything. */
export function isCiteKey(key: string): boolean {
  return CITE_KEY.test(key);
}

/** The fields that people may correct. */
const correctable = {
  title: line.describe('Title of the document.'),
  authors: z.array(line).max(MAX_AUTHORS).describe('Names of the authors, in order.'),
  year: z.int().min(1000).max(2999).describe('Year of publication.'),
  doi: line
    .regex(/^10\.\d{4,9}\/\S+$/i, 'must be a DOI, such as 10.1000/182')
    .describe('DOI, without a URL.'),
  tags: z.array(line).max(MAX_TAGS).describe('Tags of the document.'),
  citeKey: line
    .regex(CITE_KEY, 'must be a key that BibTeX accepts')
    .describe('Key with which texts cite the document, as in BibTeX.'),
};

export const CORRECTABLE = [
  'title',
  'authors',
  'year',
  'doi',
  'tags',
  'citeKey',
] as const satisfies (keyof typeof correctable)[];

const givenShape = {
  title: correctable.title.nullable(),
  authors: correctable.authors.nullable(),
  year: correctable.year.nullable(),
  doi: correctable.doi.nullable(),
  tags: correctable.tags.nullable(),
  citeKey: correctable.citeKey.nullable(),
};

export const correctionBody = z.strictObject(givenShape).partial().meta({ id: 'DocumentCorrection' });
export type Correction = z.infer<typeof correctionBody>;

export const documentParams = {
  path: z.string().max(4096).describe('Path of the file, URL-encoded, with `%2F` between folders.'),
};

export const documentKindSchema = z.enum([...SEARCH_KINDS, 'other']).meta({ title: 'DocumentKind' });

export const documentSchema = z
  .strictObject({
    path: z.string().describe('Path of the file, relative to the workspace.'),
    title: correctable.title.describe('Title of the document. The name of the file if none is known.'),
    authors: correctable.authors,
    year: correctable.year.nullable().describe('Year of publication. Null if it is not known.'),
    doi: correctable.doi.nullable().describe('DOI, without a URL. Null if it is not known.'),
    kind: documentKindSchema.describe('Kind of the file, as in the filter of a search.'),
    tags: correctable.tags,
    citeKey: correctable.citeKey.nullable().describe('Key with which texts cite it. Null if it has none.'),
    corrected: z.array(z.enum(CORRECTABLE)).describe('Fields that a person has corrected.'),
    stated: z
      .strictObject(givenShape)
      .partial()
      .meta({ title: 'StatedFacts' })
      .describe('Values of the corrected fields without the corrections.'),
  })
  .meta({ id: 'Document' });
export type Document = z.infer<typeof documentSchema>;

/** The corrections of a document by people. They stay if the file is indexed again, deleted, or moved. */
export const corrections = collection({
  kind: 'document-correction',
  schema: z.object({
    workspaceId: z.string(),
    path: z.string(),
    /** The hash of the file when it was last indexed, by which a moved file is recognized. */
    hash: z.string(),
    fields: z
      .object({
        title: z.string(),
        authors: z.array(z.string()),
        year: z.number(),
        doi: z.string(),
        tags: z.array(z.string()),
        citeKey: z.string(),
      })
      .partial(),
    version: z.int(),
  }),
  key: ({ workspaceId, path }: { workspaceId: string; path: string }) => ({
    partition: correctionsPartition(workspaceId),
    sort: path,
  }),
  index: ({ workspaceId, path, hash }) => ({
    partition: correctionsPartition(workspaceId),
    sort: `${hash}#${path.slice(0, 200)}`,
  }),
});
export type StoredCorrection = NonNullable<Awaited<ReturnType<typeof corrections.get>>>;

export function correctionsPartition(workspaceId: string): string {
  return `DOCUMENTS#${workspaceId}`;
}

/** The part of a file's index record that describes it as a document. */
export const describedFileSchema = z.object({
  path: z.string(),
  hash: z.string(),
  mtimeMs: z.number(),
  /** The first heading of files that were read before their facts were. */
  title: z.string().optional(),
  document: documentFactsSchema.optional(),
});
export type DescribedFile = z.infer<typeof describedFileSchema>;

/** Returns the key of a file's index record. */
export function fileRecordKey({ workspaceId, path }: { workspaceId: string; path: string }) {
  return { partition: `FILES#${workspaceId}`, sort: path };
}
