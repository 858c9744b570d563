import type { Table } from '@lancedb/lancedb';
import { storedColumns } from './stored-passage.ts';

export interface TableShape {
  /** The passage columns that this table has. */
  columns: string[];
  /** The number of dimensions of the table's vectors; undefined before the first vector. */
  dimensions: number | undefined;
}

const shapes = new WeakMap<Table, TableShape>();

/**
 * Returns the cached shape, because reading a schema takes a millisecond. An open table's schema changes once, with its
 * first vectors.
 */
export async function shapeOf(table: Table): Promise<TableShape> {
  const known = shapes.get(table);
  if (known !== undefined) return known;
  const schema = await table.schema();
  const field = schema.fields.find(({ name }) => name === 'vector');
  const dimensions = (field?.type as { listSize?: number } | undefined)?.listSize;
  const shape = { columns: storedColumns(schema), dimensions };
  if (dimensions !== undefined) shapes.set(table, shape);
  return shape;
}
