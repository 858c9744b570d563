import { Readable } from 'node:stream';
import type { Caller } from '../../lib/access/caller.ts';
import { BEGIN_TABLE_ERRORS, beginTableRun } from '../../lib/evidence/begin.ts';
import { describeTable } from '../../lib/evidence/describe.ts';
import { exportTable } from '../../lib/evidence/export/export-table.ts';
import {
  changeTableBody,
  columnsQuestionBody,
  type RowsQuery,
  resumeBody,
  rowsQuery,
  startedTableSchema,
  suggestedColumnsSchema,
  tableBody,
  tableExportQuery,
  tableParams,
  tableSchema,
  tableSummarySchema,
  tablesQuery,
} from '../../lib/evidence/request-schema.ts';
import type { EvidenceTable } from '../../lib/evidence/schema.ts';
import { suggestColumns } from '../../lib/evidence/suggest-columns.ts';
import {
  CHANGE_TABLE_ERRORS,
  CREATE_TABLE_ERRORS,
  changeTable,
  createTable,
  deleteTable,
  findTable,
  listTables,
  stopTable,
  TABLE_ERRORS,
} from '../../lib/evidence/tables.ts';
import { contentDisposition } from '../../lib/http/content-disposition.ts';
import { DELETED, deletedSchema, pageHeaders, reply, replyPage } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { MODEL_ERRORS } from '../../lib/ports/language-model.ts';
import { etagOf } from '../../lib/records/etag.ts';
import type { BeginPorts } from '../../lib/runs/ports.ts';

const route = routeFor<BeginPorts>();
const list = '/api/evidence-tables';
const path = `${list}/{tableId}`;

/** Returns the response with a page of a table. The ETag is of its columns, which a change replaces as a whole. */
async function replyTable(
  ports: BeginPorts,
  caller: Caller,
  table: EvidenceTable,
  query: RowsQuery = { limit: 100 },
) {
  const { table: described, ...page } = await describeTable(ports, caller, table, query);
  return reply(200, described, { ...pageHeaders(page), etag: etagOf(table.columns) });
}

export const evidenceRoutes = [
  route({
    method: 'GET',
    path: list,
    operationId: 'listEvidenceTables',
    summary: 'List evidence tables',
    description: 'Returns the evidence tables of a workspace without their rows, newest first.',
    access: 'viewer',
    query: tablesQuery,
    replies: { 200: tableSummarySchema.array() },
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, query }, ports) => replyPage(await listTables(ports, workspace.id, query)),
  }),
  route({
    method: 'POST',
    path: list,
    operationId: 'createEvidenceTable',
    summary: 'Create an evidence table',
    description:
      'Creates a table with a row per document and a column per question, and reads its first documents (`pilot`). Each value has a quote that code found in the document. Correct columns and cells, then start the rest with `POST /api/evidence-tables/{tableId}/resume`. Follow the run with `GET /api/agent/runs/{runId}/stream`, which sends `data-progress` every few seconds. The documents must be indexed. The same cell is never paid for twice.',
    access: 'member',
    body: tableBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      name: 'Contracts',
      rows: { glob: 'contracts/**/*.pdf' },
      columns: [{ name: 'Notice', question: 'What is the notice period?', type: 'number', unit: 'months' }],
    },
    replies: { 202: startedTableSchema },
    errors: [...CREATE_TABLE_ERRORS],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(202, await createTable(ports, caller, workspace, body)),
  }),
  route({
    method: 'POST',
    path: `${list}/columns`,
    operationId: 'suggestEvidenceColumns',
    summary: 'Generate columns for a question',
    description:
      'Suggests columns for a table that answers a question, by one model call. Nothing is stored.',
    access: 'member',
    body: columnsQuestionBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      question: 'When can contracts be ended?',
    },
    replies: { 200: suggestedColumnsSchema },
    errors: [...MODEL_ERRORS],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(200, await suggestColumns(ports, caller, workspace, body.question)),
  }),
  route({
    method: 'GET',
    path,
    operationId: 'getEvidenceTable',
    summary: 'Get an evidence table',
    description:
      'Returns the table with a page of its rows, the number of cells in each state, and the estimated usage for the cells that were not read. Continue with `x-next-cursor`.',
    access: 'viewer',
    params: tableParams,
    query: rowsQuery,
    replyHeaders: ['etag'],
    replies: { 200: tableSchema },
    errors: [...TABLE_ERRORS, 'invalid_cursor'],
    async handle({ params, query, caller }, ports) {
      const table = await findTable(ports.records, caller, params.tableId);
      return replyTable(ports, caller, table, query);
    },
  }),
  route({
    method: 'PATCH',
    path,
    operationId: 'updateEvidenceTable',
    summary: 'Update an evidence table',
    description:
      'Changes columns and rows, and corrects or confirms cells. Corrected cells are marked, and no run overwrites them. Nothing is read until `resume`, except with `followNew`. `columns` replaces all columns: send the ETag that you read as `If-Match`, so that those of another person stay.',
    access: 'member',
    params: tableParams,
    body: changeTableBody,
    takesMatch: true,
    replyHeaders: ['etag'],
    example: { cells: [{ path: 'contracts/a.pdf', columnId: '0a1b2c3d', value: 3 }] },
    replies: { 200: tableSchema },
    errors: [...CHANGE_TABLE_ERRORS],
    async handle({ params, body, headers, caller }, ports) {
      const table = await findTable(ports.records, caller, params.tableId);
      const change = { ...body, ifMatch: headers['if-match'] };
      return replyTable(ports, caller, await changeTable(ports, caller, table, change));
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteEvidenceTable',
    summary: 'Delete an evidence table',
    description: 'Deletes the table with its cells and corrections. The documents stay.',
    access: 'member',
    params: tableParams,
    audit: 'evidence_tables.delete',
    replies: { 200: deletedSchema },
    errors: [...TABLE_ERRORS, 'evidence_table_running'],
    async handle({ params, caller }, ports) {
      await deleteTable(ports, await findTable(ports.records, caller, params.tableId));
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/export`,
    operationId: 'exportEvidenceTable',
    summary: 'Export an evidence table',
    description:
      'Returns the table as it is now, as CSV, Markdown, DOCX, or XLSX with a sheet of quotes. Values that a spreadsheet would treat as a formula begin with an apostrophe in CSV.',
    access: 'viewer',
    params: tableParams,
    query: tableExportQuery,
    replyHeaders: ['content-disposition'],
    replies: { 200: { mediaType: '*/*', description: 'File in the requested format.' } },
    errors: [...TABLE_ERRORS],
    async handle({ params, query, caller }, ports) {
      const table = await findTable(ports.records, caller, params.tableId);
      const { bytes, contentType, name } = await exportTable(ports, table, query.format);
      return reply(200, Readable.from([bytes]), {
        'content-type': contentType,
        'content-disposition': contentDisposition(name),
      });
    },
  }),
  route({
    method: 'POST',
    path: `${path}/resume`,
    operationId: 'resumeEvidenceTable',
    summary: 'Start reading the missing cells of a table',
    description:
      'Starts a run that reads the cells that were not read, and those whose document or question changed. Corrected cells are not read.',
    access: 'member',
    params: tableParams,
    body: resumeBody,
    bodyOptional: true,
    example: { budget: { calls: 500 } },
    replies: { 202: startedTableSchema },
    errors: [...TABLE_ERRORS, ...BEGIN_TABLE_ERRORS],
    async handle({ params, body, caller }, ports) {
      const table = await findTable(ports.records, caller, params.tableId);
      return reply(202, await beginTableRun(ports, caller, table, body ?? { scope: 'all' }));
    },
  }),
  route({
    method: 'POST',
    path: `${path}/stop`,
    operationId: 'stopEvidenceTable',
    summary: 'Stop reading a table',
    description:
      'Stops the run of the table. Cells that were read stay, and `resume` continues with the others.',
    access: 'member',
    params: tableParams,
    replies: { 200: tableSummarySchema },
    errors: [...TABLE_ERRORS, 'run_over'],
    async handle({ params, caller }, ports) {
      return reply(200, await stopTable(ports, await findTable(ports.records, caller, params.tableId)));
    },
  }),
];
