import type { Embedder } from '../ports/embedder.ts';
import type { Records } from '../ports/records.ts';
import type { PassageRow } from '../ports/vectors.ts';
import { embeddedText } from './embedded-text.ts';
import { passageTables } from './tables.ts';

/** Number of largest components to store. Those of two models are practically unrelated. */
const MAX_PARTS = 64;
/**
 * Minimum similarity of two vectors of the same text: nearly 1 for the same model, about 0 for different
 * ones.
 */
const SAME_MODEL = 0.5;

/** For a table's only writer: stores a sample of the table's first vectors, once. */
export async function keepSample(
  records: Records,
  { workspaceId, space }: { workspaceId: string; space: string },
  rows: PassageRow[],
): Promise<void> {
  const row = rows.find(({ vector }) => vector !== null);
  const table = row && (await passageTables.get(records, { workspaceId, space }));
  if (!row?.vector || table === undefined || table.sample !== undefined) return;
  const sample = {
    text: embeddedText(row),
    dimensions: row.vector.length,
    parts: largest(row.vector),
  };
  await passageTables.put(records, { ...table, sample }, { id: table.id });
}

/** Embeds a table's sample again. Returns false if the vector differs, and true if there is no sample. */
export async function isOfModel(
  records: Records,
  table: { workspaceId: string; space: string },
  embedder: Embedder,
): Promise<boolean> {
  const { sample } = (await passageTables.get(records, table)) ?? {};
  if (sample === undefined) return true;
  const [again] = await embedder.embed([sample.text]);
  // A zero vector shows nothing.
  return again?.length === sample.dimensions && !(similarity(sample.parts, again) < SAME_MODEL);
}

function largest(vector: Float32Array): [number, number][] {
  const parts = [...vector.entries()].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  return parts.slice(0, MAX_PARTS);
}

/** Returns the similarity: 1 if the other vector has the same components. */
function similarity(parts: [number, number][], other: Float32Array): number {
  const sum = (of: (index: number, value: number) => number) =>
    parts.reduce((total, [index, value]) => total + of(index, value), 0);
  return sum((index, value) => value * (other[index] ?? 0)) / sum((_, value) => value * value);
}
