import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { signOf, valueText } from './cell-text.ts';
import type { Cell, Column, EvidenceTable, TableRow } from './evidence-table.ts';

const FROM = '/w/$workspaceId/tables/$tableId';

/** Documents down, columns across. The names of the documents stay visible while the table scrolls. */
export function TableGrid({ table: { columns }, rows }: { table: EvidenceTable; rows: TableRow[] }) {
  const { t } = useTranslation();
  return (
    <ScrollRegion
      label={t('evidence.tables')}
      className="overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table aria-label={t('evidence.tables')} className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line bg-sunken text-left text-xs text-muted">
            <th scope="col" className="sticky left-0 z-10 bg-sunken px-3 py-2 font-medium">
              {t('evidence.document')}
            </th>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                title={column.question}
                className="min-w-36 px-3 py-2 font-medium"
              >
                <span data-user-content>{column.name}</span>
                {column.unit && <span data-user-content> ({column.unit})</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.path} className="align-top">
              <th
                scope="row"
                className="sticky left-0 z-10 max-w-56 bg-surface px-3 py-2 text-left font-medium"
              >
                <span data-user-content className="line-clamp-2 wrap-anywhere">
                  {row.title}
                </span>
                <span data-user-content className="block truncate text-xs font-normal text-muted">
                  {row.path}
                </span>
              </th>
              {columns.map((column) => (
                <td key={column.id} className="px-1 py-1">
                  <CellLink row={row} column={column} cell={row.cells[column.id]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface CellProps {
  row: TableRow;
  column: Column;
  cell: Cell | undefined;
}

/** A cell, which opens its details. */
function CellLink({ row: { path }, column, cell }: CellProps) {
  const { t } = useTranslation();
  const search = useSearch({ from: FROM });
  const isOpened = search.row === path && search.column === column.id;
  return (
    <Link
      to="."
      search={(before) => ({ ...before, row: path, column: column.id, source: undefined })}
      resetScroll={false}
      preload={false}
      activeProps={{}}
      aria-current={isOpened ? 'true' : undefined}
      className={`block min-h-9 rounded-md border px-2 py-1.5 hover:bg-sunken ${isOpened ? 'border-accent' : 'border-transparent'}`}
    >
      {cell === undefined ? (
        <span className="text-muted">{t('evidence.unread')}</span>
      ) : (
        <CellText cell={cell} column={column} />
      )}
    </Link>
  );
}

export function CellText({ cell, column }: { cell: Cell; column: Column }) {
  const { t, i18n } = useTranslation();
  const text = valueText(cell, column, i18n.language, t('evidence.yes'), t('evidence.no'));
  const { name, look } = signOf(cell);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {text !== '' && (
        <span data-user-content className="line-clamp-3 wrap-anywhere">
          {text}
        </span>
      )}
      {name !== 'found' && <Badge look={look}>{t(`evidence.signs.${name}`)}</Badge>}
    </span>
  );
}
