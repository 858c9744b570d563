import * as z from 'zod';
import { callerSchema } from '../access/caller.ts';
import { idSchema } from '../identifiers.ts';
import { filePath } from '../paths/path-schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import { filePartShape } from '../ports/file-part.ts';
import { providerIdSchema } from '../ports/language-model.ts';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { runPartition } from '../runs/schema.ts';
import { budgetSchema } from '../runs/steps/limits.ts';

export const MAX_ROWS = 1000;
export const MAX_COLUMNS = 20;
const MAX_CHOICES = 50;
export const MAX_VALUE = 500;

const columnTypeSchema = z
  .enum(['text', 'number', 'date', 'boolean', 'choice'])
  .meta({ title: 'EvidenceColumnType' });

const line = (longest: number) =>
  z
    .string()
    .max(longest)
    .overwrite((text) => text.replace(/\s+/g, ' ').trim())
    .min(1);

/** The parts of a column that a person or a model chooses. */
export const columnFields = {
  name: line(100).describe('Heading of the column.'),
  question: line(500).describe('Question that each cell of the column answers from its document.'),
  type: columnTypeSchema.describe('Type of the values.'),
  choices: z
    .array(line(100))
    .min(2)
    .max(MAX_CHOICES)
    .optional()
    .describe('Possible values of a `choice` column. Other spellings of them are normalized.'),
  unit: line(30)
    .optional()
    .describe('Unit of a `number` column, such as `mg`. Values in other units are converted and compared.'),
};

const storedColumnSchema = z.object({ id: z.string(), ...columnFields });
export type EvidenceColumn = z.infer<typeof storedColumnSchema>;

/** The rows that a run reads: the first ones, all, or those since new documents are read by themselves. */
export const scopeSchema = z.enum(['pilot', 'all', 'new']).meta({ title: 'EvidenceScope' });
export type TableScope = z.infer<typeof scopeSchema>;

export const runUsageShape = {
  ended: z.string().nullable().describe('Why the run made no further model calls. Null if it was complete.'),
  calls: z.int().describe('Number of model calls.'),
  inputTokens: z.int().describe('Number of input tokens.'),
  outputTokens: z.int().describe('Number of output tokens.'),
  costUsd: z.number().nullable().describe('Cost in US dollars. Null if the model has no price.'),
};

/** A table of a workspace: documents down, questions across. Its rows and cells are records next to it. */
export const tables = collection({
  kind: 'evidence-table',
  schema: z.object({
    id: z.string(),
    workspaceId: z.string(),
    name: z.string(),
    createdBy: z.string(),
    createdAt: timestampSchema,
    columns: z.array(storedColumnSchema),
    pilot: z.int(),
    /** The pattern that `followNew` applies to new documents. */
    glob: z.string().nullable(),
    rowCount: z.int(),
    /** The number of the next row, so that rows keep their order when others are removed. */
    nextRow: z.int(),
    budget: z.object(budgetSchema.shape).nullable(),
    /** The person with whose rights new documents are read. Null if they aren't read by themselves. */
    follower: callerSchema.nullable(),
    /** The first row that was added since then. */
    followFrom: z.int(),
    /** True after a person has started a run of all rows. A followed table reads new documents only then. */
    restStarted: z.boolean(),
    /** The latest run. It may not exist if its start was interrupted, or if it has expired. */
    runId: z.string().nullable(),
    scope: scopeSchema,
    /** The usage of the latest run that ended. */
    used: z.object({ runId: z.string(), ...runUsageShape }).nullable(),
    version: z.int(),
  }),
  key: ({ id }: { id: string }) => ({ partition: tablePartition(id), sort: TABLE_SORT }),
  index: ({ workspaceId, id }) => ({ partition: evidencePartition(workspaceId), sort: id }),
});
export type EvidenceTable = NonNullable<Awaited<ReturnType<typeof tables.get>>>;

const TABLE_SORT = 'TABLE';

export function tablePartition(id: string): string {
  return `EVIDENCE_TABLE#${id}`;
}

export function evidencePartition(workspaceId: string): string {
  return `EVIDENCE_TABLES#${workspaceId}`;
}

/** A document of a table. Its cells are the readings of one of its versions. */
export const documentRows = collection({
  kind: 'evidence-row',
  schema: z.object({
    tableId: z.string(),
    path: z.string(),
    n: z.int(),
    /** The version that was read last. Null until the document is read. */
    fileHash: z.string().nullable(),
    /** True for a row that a person removed. Its record stays, so that a followed table doesn't add the document again. */
    isRemoved: z.boolean(),
  }),
  key: ({ tableId, path }: { tableId: string; path: string }) => ({
    partition: tablePartition(tableId),
    sort: `ROW#${path}`,
  }),
});
export type DocumentRow = NonNullable<Awaited<ReturnType<typeof documentRows.get>>>;

const cellCitationSchema = z
  .strictObject({
    value: z.string().describe('Value that the quote states, as in the cell or, if it is disputed, another.'),
    path: z.string().describe('Path of the document.'),
    fileHash: z.string().describe('SHA-256 of the version of the document that was read.'),
    startLine: z.int().describe('First line of the quote in the indexed text, starting at 1.'),
    endLine: z.int().describe('Last line of the quote, inclusive.'),
    ...filePartShape,
    quote: z.string().describe('Exact substring of the document.'),
  })
  .meta({ id: 'EvidenceQuote' });
export type CellCitation = z.infer<typeof cellCitationSchema>;

const cellValueSchema = z.union([z.string(), z.number(), z.boolean()]).nullable();
export type CellValue = z.infer<typeof cellValueSchema>;

export const cellShape = {
  value: cellValueSchema.describe('Value in the type of the column. Null unless one was found or entered.'),
  state: z
    .enum(['found', 'not_stated', 'disputed', 'failed'])
    .meta({ title: 'EvidenceState' })
    .describe(
      '`found`: with a quote that the document contains. `disputed`: the document states several values. `failed`: not read, or without a valid quote.',
    ),
  verified: z
    .boolean()
    .describe(
      'Whether the quotes contain every number, date, unit, and name of the value, as far as code can tell.',
    ),
  reason: z
    .string()
    .optional()
    .describe(
      'Why the cell failed or is not verified: an error code, a rule of findings, or `quote_not_found`.',
    ),
  partly: z
    .literal(true)
    .optional()
    .describe('Present if only the nearest passages of a long document were read.'),
  citations: z.array(cellCitationSchema).describe('Quotes of the value, or of each value that is disputed.'),
};
const storedCellSchema = z.object({ column: z.string(), ...cellShape });
export type KeptCell = z.infer<typeof storedCellSchema>;

/**
 * The result of one model call: the cells of some columns for one version of a document. It is stored by the hash of
 * the document, the definitions of the columns, and the model, so that it outlives its run and is never paid again.
 */
export const readings = collection({
  kind: 'evidence-reading',
  schema: z.object({
    tableId: z.string(),
    fileHash: z.string(),
    /** The hash of the columns and the model. */
    hash: z.string(),
    provider: providerIdSchema,
    model: z.string(),
    /** True if the call failed, so that the next run repeats it. */
    failed: z.boolean(),
    readAt: timestampSchema,
    cells: z.array(storedCellSchema),
  }),
  key: ({ tableId, fileHash, hash }: { tableId: string; fileHash: string; hash: string }) => ({
    partition: tablePartition(tableId),
    sort: `READ#${fileHash}#${hash}`,
  }),
});
export type CellReading = NonNullable<Awaited<ReturnType<typeof readings.get>>>;

/** A cell that a person entered. It is a record of its own, so that no run can overwrite it. */
export const cellCorrections = collection({
  kind: 'evidence-correction',
  schema: z.object({
    tableId: z.string(),
    path: z.string(),
    columnId: z.string(),
    value: cellValueSchema,
    /** The unit that the column had. In another unit, the value would be another. */
    unit: z.string().nullable(),
    by: z.string(),
    at: timestampSchema,
  }),
  key: ({ tableId, columnId, path }: { tableId: string; columnId: string; path: string }) => ({
    partition: tablePartition(tableId),
    sort: `FIX#${columnId}#${path}`,
  }),
});
export type CellCorrection = NonNullable<Awaited<ReturnType<typeof cellCorrections.get>>>;

/** The table and the rows of a run; stored next to it, for as long. */
export const tableRuns = collection({
  kind: 'evidence-run',
  schema: z.object({ runId: z.string(), tableId: z.string(), scope: scopeSchema, expiresAt: z.int() }),
  key: ({ runId }: { runId: string }) => ({ partition: runPartition(runId), sort: 'EVIDENCE' }),
  expiresAt: ({ expiresAt }) => expiresAt,
});

export const FOLLOWED = 'EVIDENCE_FOLLOWED';
/** Milliseconds between two looks at a followed table. A look at an unchanged index reads four records. */
export const FOLLOW_MS = 2 * 60_000;
/** A table whose new documents are read by themselves. The tick calls a worker for it. */
export const followedTables = collection({
  kind: 'evidence-followed',
  schema: z.object({
    tableId: z.string(),
    /** The state of the workspace's index that the worker last compared. */
    stamp: z.string(),
    until: timestampSchema,
  }),
  key: ({ tableId }: { tableId: string }) => ({ partition: FOLLOWED, sort: tableId }),
  index: ({ tableId, until }) => ({ partition: FOLLOWED, sort: `${until}#${tableId}` }),
});

/** Removes a table with its cells; the table itself last, so that the removal can be repeated. */
export async function dropTable(records: Records, tableId: string): Promise<void> {
  await followedTables.delete(records, { tableId });
  await dropPartition(records, tablePartition(tableId), TABLE_SORT);
}

/** Removes the tables of a deleted workspace. */
export async function dropTables(records: Records, workspaceId: string): Promise<void> {
  const query = { partition: evidencePartition(workspaceId), byIndex: true, limit: 100 };
  for await (const { id } of tables.all(records, query)) await dropTable(records, id);
}

export const columnIdSchema = idSchema.describe('ID of the column.');
export const rowPathSchema = filePath;
