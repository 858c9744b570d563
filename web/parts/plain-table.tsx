import type { ReactNode } from 'react';

interface Props {
  header: ReactNode[];
  rows: ReactNode[][];
  cellClass?: string;
}

/** A table that is rendered as a whole. Its cells are identified only by position. */
export function PlainTable({ header, rows, cellClass = '' }: Props) {
  return (
    <table className="border-collapse text-sm">
      <thead>
        <tr>
          {header.map((cell, column) => {
            const key = `column ${column}`;
            return (
              <th
                key={key}
                scope="col"
                className="border border-line bg-sunken px-2.5 py-1.5 text-start font-semibold"
              >
                {cell}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, line) => {
          const key = `row ${line}`;
          return <Row key={key} cells={row} cellClass={cellClass} />;
        })}
      </tbody>
    </table>
  );
}

function Row({ cells, cellClass }: { cells: ReactNode[]; cellClass: string }) {
  return (
    <tr className="even:bg-canvas">
      {cells.map((cell, column) => {
        const key = `column ${column}`;
        return (
          <td key={key} className={`border border-line px-2.5 py-1 align-top ${cellClass}`}>
            {cell}
          </td>
        );
      })}
    </tr>
  );
}
