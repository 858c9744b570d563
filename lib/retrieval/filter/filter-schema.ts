import * as z from 'zod';
import { documentKindSchema } from '../../documents/schema.ts';
import { anyPath } from '../../paths/path-schema.ts';
import { momentField } from '../../validation/pasted-fields.ts';
import { plainPath } from '../scope-schema.ts';

const MAX_TEXT = 200;
const MAX_QUERY = 8000;
const DAY_MS = 24 * 60 * 60_000;

const text = z.string().trim().min(1).max(MAX_TEXT).meta({ pattern: '\\S' });

const yearRange = z
  .strictObject({
    from: z.int().min(1000).max(2999).optional().describe('First year.'),
    to: z.int().min(1000).max(2999).optional().describe('Last year, inclusive.'),
  })
  .refine(hasEnd, { message: 'must have from or to', abort: true })
  .refine(({ from = 0, to = Infinity }) => from <= to, 'must have a from that is not after its to')
  .meta({ title: 'YearRange' });

const momentRange = z
  .strictObject({
    from: momentField.optional().describe('First date (UTC) or time.'),
    to: momentField.optional().describe('Last date (UTC) or time, inclusive.'),
  })
  .refine(hasEnd, { message: 'must have from or to', abort: true })
  .refine((range) => startOf(range) <= endOf(range), 'must have a from that is not after its to')
  .meta({ title: 'MomentRange' });

const fields = z.strictObject({
  kind: documentKindSchema.optional().describe('Kind of the file, by its extension.'),
  year: yearRange.optional().describe('Years of publication. Files without a known year are left out.'),
  modified: momentRange.optional().describe('Times at which the file was last modified, as of its indexing.'),
  author: text
    .refine((name) => /[\p{L}\p{N}]/u.test(name), 'must have a letter or a digit')
    .optional()
    .describe(
      'Name of an author, or a part of it. Case, accents, and the order of names do not matter, and an initial matches a name.',
    ),
  tag: text
    .refine((tag) => /[^#\s]/.test(tag), 'must have more than # characters')
    .optional()
    .describe('Tag of the document. Case and accents do not matter. `birds` also matches `birds/owls`.'),
  source: text
    .refine((name) => !/[/\\]|^\.{1,2}$/.test(name), 'must be the name of a source')
    .optional()
    .describe(
      'Name of a source, such as a library of Zotero. Its files are in `sources/<name>/`. `web` and `papers` are saved pages and papers.',
    ),
  path: anyPath
    .overwrite(plainPath)
    .optional()
    .describe('File or folder, relative to each searched workspace. A folder includes everything below it.'),
});

const LIMITS = 'Limits a search to files by their facts. A file must match all fields that are given.';

/** The facts of the files that a search is limited to. A file must have all of them. */
export const searchFilter = fields.meta({
  id: 'SearchFilter',
  description: `${LIMITS} Authors, years, and tags are those of \`GET /api/workspaces/{workspaceId}/documents/{path}\`.`,
});

/** The same in a tool for models, without a reference to another schema, which some clients don't read. */
export const toolFilter = fields.optional().describe(LIMITS);

export type SearchFilter = z.output<typeof searchFilter>;

/** The same in a query, as JSON. */
export const filterQuery = z
  .string()
  .max(MAX_QUERY)
  .transform((json, context): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON, such as {"kind":"pdf"}' });
      return z.NEVER;
    }
  })
  .pipe(searchFilter)
  .optional()
  .describe(
    'Limits the search to files by their facts: a `SearchFilter` as JSON, such as `{"author":"Strix","year":{"from":2019}}`. A file must match all fields that are given.',
  );

interface MomentRange {
  from?: string | undefined;
  to?: string | undefined;
}

function hasEnd({ from, to }: { from?: unknown; to?: unknown }): boolean {
  return (from ?? to) !== undefined;
}

/** Returns the first millisecond of a range. */
export function startOf({ from }: MomentRange): number {
  return from === undefined ? -Infinity : Date.parse(from);
}

/** Returns the last millisecond of a range: for a date, that of the day. */
export function endOf({ to }: MomentRange): number {
  if (to === undefined) return Infinity;
  return Date.parse(to) + (to.includes('T') ? 0 : DAY_MS - 1);
}
