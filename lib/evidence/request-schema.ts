import * as z from 'zod';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { pageQuery } from '../records/page.ts';
import { runSchema } from '../runs/schema.ts';
import { budgetSchema } from '../runs/steps/limits.ts';
import {
  cellShape,
  columnFields,
  columnIdSchema,
  MAX_COLUMNS,
  MAX_ROWS,
  MAX_VALUE,
  rowPathSchema,
  runUsageShape,
  scopeSchema,
} from './schema.ts';
import { foldValue } from './values.ts';

const MAX_PILOT = 5;
/** Maximum cells that one request corrects. */
const MAX_CELLS = 100;

const columnBody = z
  .strictObject({ id: columnIdSchema.optional(), ...columnFields })
  .refine(({ type, choices }) => (type === 'choice') === (choices !== undefined), {
    path: ['choices'],
    message: 'must be given for the type choice, and only for it',
  })
  .refine(({ choices = [] }) => new Set(choices.map(foldValue)).size === choices.length, {
    path: ['choices'],
    message: 'has a choice twice',
  })
  .refine(({ type, unit }) => unit === undefined || type === 'number', {
    path: ['unit'],
    message: 'is possible only for the type number',
  })
  .meta({ id: 'EvidenceColumnInput' });
export type ColumnInput = z.output<typeof columnBody>;

const columnsBody = z
  .array(columnBody)
  .min(1)
  .max(MAX_COLUMNS)
  .refine((all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length, 'has a name twice')
  .describe('Columns in their order. A column of the table keeps its cells if it has its `id` and question.');

const rowsBody = z
  .strictObject({
    paths: z.array(rowPathSchema).min(1).max(MAX_ROWS).optional().describe('Paths of documents.'),
    glob: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Pattern of paths, such as `papers/**/*.pdf`. It matches indexed files.'),
    sourceId: idSchema
      .optional()
      .describe('ID of a source of the workspace. Means the pattern of all its files.'),
  })
  .refine(
    (rows) => Object.values(rows).filter((value) => value !== undefined).length === 1,
    'must have paths, glob, or sourceId',
  )
  .meta({ id: 'EvidenceRows' });
export type RowsInput = z.output<typeof rowsBody>;

const followNew = z
  .boolean()
  .describe(
    'Whether new documents that match `glob` are added and read after a sync, with your rights. This costs money without further questions.',
  );
const budget = budgetSchema.describe('Limits of each run of the table.');
const name = z.string().trim().min(1).max(200).meta({ pattern: '\\S' }).describe('Name of the table.');

export const tableBody = z
  .strictObject({
    workspaceId: idSchema.describe('ID of the workspace that contains the documents.'),
    name,
    rows: rowsBody,
    columns: columnsBody,
    pilot: z
      .int()
      .min(1)
      .max(MAX_PILOT)
      .default(3)
      .describe('Number of documents to read first. `resume` reads the rest.'),
    followNew: followNew.default(false),
    budget: budget.optional(),
  })
  .refine(({ followNew: follows, rows }) => !follows || rows.paths === undefined, {
    path: ['followNew'],
    message: 'needs rows with a glob or a sourceId',
  });
export type TableBody = z.output<typeof tableBody>;

const correctedCell = z
  .strictObject({
    path: rowPathSchema,
    columnId: columnIdSchema,
    value: z
      .union([z.string().max(MAX_VALUE), z.number(), z.boolean()])
      .nullable()
      .optional()
      .describe('Value in the type of the column. Null: the document does not state it.'),
    reset: z.literal(true).optional().describe('Removes an earlier correction, instead of `value`.'),
    ifAt: timestampSchema
      .nullable()
      .optional()
      .describe(
        'Time of the correction that you read (`corrected.at`), null if there was none. If another person has corrected the cell since, nothing changes.',
      ),
  })
  .refine(({ value, reset }) => (value === undefined) !== (reset === undefined), 'must have value or reset')
  .meta({ id: 'CorrectedEvidenceCell' });

export const changeTableBody = z
  .strictObject({
    name: name.optional(),
    columns: columnsBody.optional(),
    addRows: rowsBody.optional(),
    removeRows: z.array(rowPathSchema).min(1).max(MAX_ROWS).optional().describe('Paths of rows to remove.'),
    cells: z
      .array(correctedCell)
      .min(1)
      .max(MAX_CELLS)
      .optional()
      .describe('Cells that a person corrects or confirms. No run changes them afterwards.'),
    followNew: followNew.optional(),
    budget: budget
      .nullable()
      .optional()
      .describe('Limits of each run of the table. Null if it has no limits.'),
  })
  .meta({ id: 'EvidenceTableChange' });
export type TableChange = z.output<typeof changeTableBody>;

export const resumeBody = z.strictObject({
  scope: scopeSchema
    .exclude(['new'])
    .meta({ title: 'EvidenceResumeScope' })
    .default('all')
    .describe('Whether to read all rows, or the first ones again (`pilot`).'),
  budget: budget.optional(),
});

export const columnsQuestionBody = z.strictObject({
  workspaceId: idSchema.describe('ID of the workspace.'),
  question: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .meta({ pattern: '\\S' })
    .describe('Question that the table should answer.'),
});
export const suggestedColumnsSchema = z
  .strictObject({ columns: z.array(z.strictObject(columnFields).meta({ id: 'SuggestedEvidenceColumn' })) })
  .meta({ id: 'SuggestedEvidenceColumns' });
export type SuggestedColumns = z.infer<typeof suggestedColumnsSchema>;

export const tablesQuery = pageQuery.extend({ workspaceId: idSchema.describe('ID of the workspace.') });
export const tableParams = z.object({ tableId: idSchema.describe('ID of the table.') });
export const rowsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(100).describe('Maximum number of rows on the page.'),
  cursor: z
    .string()
    .max(20)
    .optional()
    .describe('Cursor from the `x-next-cursor` header of the previous page.'),
  look: z
    .stringbool()
    .optional()
    .describe('True for only the rows with a cell that a person should look at.'),
});
export type RowsQuery = z.output<typeof rowsQuery>;

export const EXPORT_FORMATS = ['csv', 'xlsx', 'md', 'docx'] as const;
export const tableExportQuery = z.object({
  format: z.enum(EXPORT_FORMATS).default('csv').describe('Format of the export.'),
});

const cellSchema = z
  .strictObject({
    ...cellShape,
    corrected: z
      .strictObject({
        by: z.string().describe('ID of the caller who entered the value.'),
        at: timestampSchema,
      })
      .meta({ title: 'EvidenceCorrection' })
      .optional()
      .describe('Present if a person entered the value. `citations` are then those of the model.'),
    outlier: z
      .number()
      .optional()
      .describe('Distance of an unusual number from the median of its column, in scaled median deviations.'),
    look: z.boolean().describe('Whether a person should look at the cell.'),
  })
  .meta({ id: 'EvidenceCell' });
export type EvidenceCell = z.infer<typeof cellSchema>;

const rowSchema = z
  .strictObject({
    path: z.string().describe('Path of the document.'),
    title: z.string().describe('Title of the document, or the name of its file.'),
    cells: z
      .record(z.string(), cellSchema)
      .describe('Cells by the ID of their column. A cell that was not read is missing.'),
  })
  .meta({ id: 'EvidenceRow' });
export type EvidenceRow = z.infer<typeof rowSchema>;

const count = z.int();
const countsSchema = z
  .strictObject({
    rows: count.describe('Number of documents.'),
    cells: count.describe('Number of cells of all documents.'),
    found: count.describe('Number of cells with a value.'),
    notStated: count.describe('Number of cells whose document states no value.'),
    disputed: count.describe('Number of cells whose document states several values.'),
    failed: count.describe('Number of failed cells.'),
    waiting: count.describe('Number of cells that were not read.'),
    corrected: count.describe('Number of cells that a person corrected or confirmed.'),
    look: count.describe('Number of cells that a person should look at: disputed, failed, or not verified.'),
  })
  .meta({ title: 'EvidenceCounts' });
export type CellCounts = z.infer<typeof countsSchema>;

const estimateSchema = z
  .strictObject({
    calls: count.describe('Number of model calls.'),
    inputTokens: count.describe('Number of input tokens.'),
    outputTokens: count.describe('Number of output tokens.'),
    costUsd: z.number().nullable().describe('Cost in US dollars. Null if the model has no price.'),
  })
  .meta({ title: 'EvidenceEstimate' });
export type TableEstimate = z.infer<typeof estimateSchema>;

const summaryShape = {
  id: idSchema.describe('ID of the table.'),
  workspaceId: z.string().describe('ID of the workspace.'),
  name,
  createdBy: z.string().describe('ID of the caller who created the table.'),
  createdAt: timestampSchema,
  columns: z.array(z.strictObject({ id: columnIdSchema, ...columnFields }).meta({ id: 'EvidenceColumn' })),
  rowCount: count.describe('Number of documents.'),
  glob: z.string().nullable().describe('Pattern of the documents. Null if they were chosen one by one.'),
  followNew,
  pilot: count.describe('Number of documents that are read first.'),
  budget: budget.nullable().describe('Limits of each run of the table. Null if it has no limits.'),
  run: z
    .strictObject({
      runId: z.string().describe('ID of the run.'),
      status: runSchema.shape.status,
      error: z.string().nullable().describe('Why the run failed. Null otherwise.'),
      scope: scopeSchema.describe(
        'Rows that the run reads: the first ones, all, or those that were added by `followNew`.',
      ),
    })
    .meta({ title: 'EvidenceRun' })
    .nullable()
    .describe('Latest run. Null if it is no longer stored.'),
};

export const tableSummarySchema = z.strictObject(summaryShape).meta({ id: 'EvidenceTableSummary' });
export type TableSummary = z.infer<typeof tableSummarySchema>;
export const tableSchema = z
  .strictObject({
    ...summaryShape,
    used: z
      .strictObject(runUsageShape)
      .meta({ title: 'EvidenceUsage' })
      .nullable()
      .describe('Usage of the latest run. Null until it has ended.'),
    counts: countsSchema.describe('Cells of all rows by state.'),
    estimate: estimateSchema.describe('Estimated usage for the cells that were not read.'),
    rows: z.array(rowSchema).describe('Page of the rows, in their order.'),
  })
  .meta({ id: 'EvidenceTable' });
export type DescribedTable = z.infer<typeof tableSchema>;

export const startedTableSchema = z
  .strictObject({
    tableId: idSchema.describe('ID of the table.'),
    runId: z.string().describe('ID of the run.'),
    estimate: estimateSchema.describe('Estimated usage of the run.'),
  })
  .meta({ id: 'StartedEvidenceTable' });
export type StartedTable = z.infer<typeof startedTableSchema>;
