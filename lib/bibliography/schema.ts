import * as z from 'zod';

const differenceSchema = z
  .strictObject({
    field: z
      .enum(['title', 'author', 'year', 'doi', 'venue'])
      .meta({ title: 'ReferenceField' })
      .describe('Field in which the entry and the record differ.'),
    own: z.string().describe('Value in the entry.'),
    found: z.string().nullable().describe('Value in the record. Null if the record has no value.'),
  })
  .meta({ title: 'ReferenceDifference' });
export type FieldDifference = z.infer<typeof differenceSchema>;

const recordSchema = z
  .strictObject({
    title: z.string().describe('Title of the paper.'),
    authors: z.array(z.string()).describe('Authors of the paper, at most 10.'),
    years: z.array(z.int()).describe('Years in which it appeared: online, in print, or as a preprint.'),
    venue: z.string().nullable().describe('Journal, proceedings, or publisher. Null if unknown.'),
    doi: z.string().nullable().describe('DOI, without a URL. Null if unknown.'),
    arxivId: z.string().nullable().describe('ID on arXiv, such as `2005.11401`. Null if unknown.'),
    url: z.string().describe('URL of the page of the paper.'),
    source: z.string().describe('Catalog that has the record, such as `crossref`.'),
  })
  .meta({ title: 'ReferenceRecord' });
export type ReferenceRecord = z.infer<typeof recordSchema>;

export const checkedEntryShape = {
  state: z
    .enum(['found', 'differs', 'retracted', 'not_found', 'not_checked'])
    .meta({ title: 'ReferenceState' })
    .describe(
      'State of the entry: `found`, `differs` from the record in `differences`, `retracted`, `not_found` if every catalog answered and none has it, or `not_checked` with a `reason`.',
    ),
  reason: z
    .enum(['unreadable', 'no_entry', 'outside_catalogs', 'catalog_unavailable'])
    .meta({ title: 'ReferenceReason' })
    .optional()
    .describe(
      'Reason why the entry was not checked: it has no recognized title or identifier, no bibliography has its key, it is a web page or book that no catalog has, or a catalog did not answer.',
    ),
  unavailable: z.array(z.string()).describe('Catalogs that did not answer.'),
  record: recordSchema.optional().describe('Record of the paper, if one was found.'),
  differences: z.array(differenceSchema).describe('Differences between the entry and the record.'),
};
const checkedEntrySchema = z.strictObject(checkedEntryShape);
export type CheckedEntry = z.infer<typeof checkedEntrySchema>;
