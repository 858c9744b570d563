import { costOf } from '../prices/price-of.ts';
import type { ModelPrices } from '../prices/schema.ts';
import { type Contents, columnHash } from './contents.ts';
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

/** Returns the calls that read the missing cells. Copies of a document are read once. */
export function plannedCalls(table: EvidenceTable, contents: Contents, scope: TableScope): Call[] {
  const calls = new Map<string, Call>();
  for (const row of rowsIn(table, contents, scope)) {
    const fileHash = contents.indexed.get(row.path)?.hash ?? null;
    const missing = table.columns.filter((column) => !contents.isDone(row, column));
    for (const columns of groupsOf(missing)) {
      const key = JSON.stringify([fileHash ?? row.path, columns.map(columnHash)]);
      if (!calls.has(key)) calls.set(key, { row, fileHash, columns });
    }
  }
  return [...calls.values()];
}

function rowsIn({ pilot, followFrom }: EvidenceTable, { rows }: Contents, scope: TableScope): DocumentRow[] {
  if (scope === 'pilot') return rows.slice(0, pilot);
  return scope === 'new' ? rows.filter(({ n }) => n >= followFrom) : rows;
}

function groupsOf(columns: EvidenceColumn[]): EvidenceColumn[][] {
  return Array.from({ length: Math.ceil(columns.length / COLUMNS_A_CALL) }, (_, at) =>
    columns.slice(at * COLUMNS_A_CALL, (at + 1) * COLUMNS_A_CALL),
  );
}

/** Estimates the usage of calls from the lengths of their documents. */
export function estimateCalls(
  calls: Call[],
  { indexed }: Contents,
  model: string | undefined,
  prices: ModelPrices,
): TableEstimate {
  const inputTokens = calls.reduce((sum, { row, columns }) => {
    const chunks = indexed.get(row.path)?.chunks ?? 0;
    const document = Math.min(chunks * TOKENS.passage, MAX_WHOLE_TOKENS);
    return sum + TOKENS.rules + document + columns.length * TOKENS.question;
  }, 0);
  const outputTokens = calls.reduce((sum, { columns }) => sum + columns.length * TOKENS.cell, 0);
  const tokens = { inputTokens, outputTokens, embeddedTokens: 0 };
  const costUsd = model === undefined ? null : costOf(model, tokens, prices);
  return { calls: calls.length, inputTokens, outputTokens, costUsd };
}
