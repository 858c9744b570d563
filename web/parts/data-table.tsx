import type { ReactNode } from 'react';
import { ScrollRegion } from './scroll-region.tsx';

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** True for numbers, which are right-aligned. */
  isNumber?: boolean;
  /** True for names and sentences of any length, which wrap, and keep a minimum width on a phone. */
  isLong?: boolean;
}

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table with rows of one kind. If it is wider than its container, it scrolls on its own. */
export function DataTable<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  return (
    <ScrollRegion label={label} className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table aria-label={label} className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line bg-sunken text-left text-xs text-muted">
            {columns.map(({ name, isNumber }) => (
              <th
                key={name}
                scope="col"
                className={`px-3 py-2 font-medium break-keep ${isNumber ? 'text-right' : ''}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={keyOf(row)} className="align-top">
              {columns.map(({ name, cell, isNumber, isLong }) => (
                <td
                  key={name}
                  className={`px-3 py-2 ${isNumber ? 'text-right whitespace-nowrap tabular-nums' : ''}`}
                >
                  {isLong ? <div className="min-w-44 wrap-anywhere">{cell(row)}</div> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
