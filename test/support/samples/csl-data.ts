import * as z from 'zod';

/**
 * The part of the schema of CSL's input data (`csl-data.json`, version 1.0.2,
 * https://github.com/citation-style-language/schema, MIT) for fields of a bibliography: no other field is
 * allowed.
 */
const TYPES = [
  'article',
  'article-journal',
  'book',
  'chapter',
  'dataset',
  'document',
  'paper-conference',
  'report',
  'software',
  'thesis',
  'webpage',
] as const;

const name = z.strictObject({
  family: z.string().optional(),
  given: z.string().optional(),
  suffix: z.string().optional(),
  literal: z.string().optional(),
});

const date = z.strictObject({
  'date-parts': z
    .array(
      z
        .array(z.union([z.string(), z.number()]))
        .min(1)
        .max(3),
    )
    .min(1)
    .max(2),
});

const item = z.strictObject({
  ...{ type: z.enum(TYPES), id: z.union([z.string(), z.number()]), title: z.string().optional() },
  ...{ author: z.array(name).optional(), issued: date.optional(), accessed: date.optional() },
  ...{ DOI: z.string().optional(), URL: z.string().optional(), archive: z.string().optional() },
  ...{ note: z.string().optional(), abstract: z.string().optional(), source: z.string().optional() },
  number: z.union([z.string(), z.number()]).optional(),
  'container-title': z.string().optional(),
  custom: z.record(z.string(), z.unknown()).optional(),
});

export const cslDataSchema = z.array(item);
