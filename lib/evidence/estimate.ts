import { readKnownFiles } from '../indexing/schema.ts';
import { costOf } from '../prices/price-of.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { type Contents, readContents } from './contents.ts';
import type { TableEstimate } from './request-schema.ts';
import type { DocumentRow, EvidenceColumn, EvidenceTable, TableScope } from './schema.ts';

/**
 * Columns per call. An answer has at most 4,000 tokens, and a cell with two quotes takes up to about 350. So ten of
 * them fit, and a document is sent once for them instead of ten times.
 */
const COLUMNS_A_CALL = 10;
/** The maximum tokens of a document that is sent whole: about 60 pages, which models still read attentively. */
export const MAX_WHOLE_TOKENS = 32_000;
/** Roughly the tokens of a passage, of the rules, and of a column in the prompt and in the answer. */
const TOKENS = { passage: 420, rules: 350, question: 40, cell: 90 };

/** Columns of a document that one call reads. */
export interface Call {
  row: DocumentRow;
  /** The hash of the document as it is indexed; null if it isn't. */
  fileHash: string | null;
  columns: EvidenceColumn[];
}

/** Returns the calls that read the missing cells, and the number of passages per document. */
export async function plannedCalls(
  ports: Pick<BeginPorts, 'records'>,
  table: EvidenceTable,
  contents: Contents,
  scope: TableScope,
): Promise<{ calls: Call[]; passages: Map<string, number> }> {
  const wanted = scope === 'pilot' ? contents.rows.slice(0, table.pilot) : contents.rows;
  const known = await readKnownFiles(
    ports.records,
    table.workspaceId,
    wanted.map(({ path }) => path),
  );
  const calls = wanted.flatMap((row) => {
    const fileHash = known.get(row.path)?.hash ?? null;
    const missing = table.columns.filter((column) => !contents.isDone(row, column, fileHash));
    return groupsOf(missing).map((columns) => ({ row, fileHash, columns }));
  });
  return { calls, passages: new Map([...known].map(([path, { chunks }]) => [path, chunks])) };
}

function groupsOf(columns: EvidenceColumn[]): EvidenceColumn[][] {
  return Array.from({ length: Math.ceil(columns.length / COLUMNS_A_CALL) }, (_, at) =>
    columns.slice(at * COLUMNS_A_CALL, (at + 1) * COLUMNS_A_CALL),
  );
}

/** Estimates the usage of a run from the lengths of the documents that it would read. */
export async function estimateRun(
  ports: BeginPorts,
  table: EvidenceTable,
  scope: TableScope,
  model: string | undefined,
  contents?: Contents,
): Promise<TableEstimate> {
  const all = contents ?? (await readContents(ports.records, table));
  const { calls, passages } = await plannedCalls(ports, table, all, scope);
  const inputTokens = calls.reduce((sum, { row, columns }) => {
    const document = Math.min((passages.get(row.path) ?? 0) * TOKENS.passage, MAX_WHOLE_TOKENS);
    return sum + TOKENS.rules + document + columns.length * TOKENS.question;
  }, 0);
  const outputTokens = calls.reduce((sum, { columns }) => sum + columns.length * TOKENS.cell, 0);
  const tokens = { inputTokens, outputTokens, embeddedTokens: 0 };
  const costUsd = model === undefined ? null : costOf(model, tokens, ports.prices);
  return { calls: calls.length, inputTokens, outputTokens, costUsd };
}
