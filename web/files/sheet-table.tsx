// biome-ignore-all lint/a11y: a table whose rows are placed by themselves, so that only those in sight are drawn
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollRegion } from '../parts/scroll-region.tsx';

interface Props {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** Labels of the rows, if they aren't their positions. */
  numbers?: readonly number[] | undefined;
  /** Indexes of the first and last marked row, from 0, at which the table opens. */
  marked?: readonly [number, number] | undefined;
  /** Returns the indexes of a row's marked cells, from 0; undefined if all are. */
  markedCells?: ((row: number) => ReadonlySet<number> | undefined) | undefined;
}

const ROW_PX = 30;
const MAX_COLUMNS = 100;
const MAX_CELL = 500;
const CELL = 'truncate border-r border-b border-line px-2.5 py-1 text-sm';

/** A table of any length. Only visible rows are rendered. */
export function SheetTable({ header, rows, numbers, marked, markedCells }: Props) {
  const { t } = useTranslation();
  const pane = useRef<HTMLDivElement>(null);
  const widest = useMemo(
    () => rows.reduce((most, { length }) => Math.max(most, length), header.length),
    [header, rows],
  );
  const columns = Math.min(MAX_COLUMNS, Math.max(1, widest));
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const first = marked?.[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each mark
  useEffect(() => {
    if (first !== undefined) drawn.scrollToIndex(first, { align: 'center' });
  }, [first]);
  return (
    <div className="flex h-full flex-col">
      <ScrollRegion ref={pane} label={t('files.content')} className="min-h-0 flex-1 overflow-auto">
        <div role="table" aria-label={t('parts.table')} aria-rowcount={rows.length + 1} className="min-w-max">
          {header.length > 0 && <HeaderRow header={header} columns={columns} />}
          <div role="rowgroup" className="relative" style={{ height: drawn.getTotalSize() }}>
            {drawn.getVirtualItems().map(({ index, start }) => (
              <Row
                key={index}
                place={index}
                start={start}
                cells={rows[index] ?? []}
                columns={columns}
                number={numbers?.[index] ?? index + 1}
                isMarked={isMarked(index, marked)}
                markedCells={markedCells?.(index)}
              />
            ))}
          </div>
        </div>
      </ScrollRegion>
      <p className="border-t border-line px-4 py-1.5 text-xs text-muted">
        {t('files.rows', { count: rows.length })}
        {widest > MAX_COLUMNS && ` ${t('files.firstColumns', { count: MAX_COLUMNS })}`}
      </p>
    </div>
  );
}

/** Returns the grid of a row; each row is a separate grid with the same column widths. */
function gridOf(columns: number) {
  return { gridTemplateColumns: `4.5rem repeat(${columns}, minmax(8rem, 1fr))` };
}

function HeaderRow({ header, columns }: { header: readonly string[]; columns: number }) {
  const { t } = useTranslation();
  return (
    <div
      data-user-content
      role="row"
      aria-rowindex={1}
      style={gridOf(columns)}
      className="sticky top-0 z-10 grid bg-sunken font-semibold"
    >
      <span role="columnheader" className={`${CELL} text-right text-muted`}>
        {t('files.row')}
      </span>
      <Cells cells={namesOf(header, columns)} columns={columns} role="columnheader" />
    </div>
  );
}

interface RowProps {
  /** The row's index, from 0. */
  place: number;
  /** The row's position in pixels. */
  start: number;
  cells: readonly string[];
  columns: number;
  number: number;
  isMarked: boolean;
  markedCells: ReadonlySet<number> | undefined;
}

function Row({ place, start, cells, columns, number, isMarked, markedCells }: RowProps) {
  return (
    <div
      data-user-content
      role="row"
      aria-rowindex={place + 2}
      style={{ ...gridOf(columns), transform: `translateY(${start}px)`, height: ROW_PX }}
      className={`absolute inset-x-0 top-0 grid ${isMarked && markedCells === undefined ? 'bg-mark' : ''}`}
    >
      <RowNumber number={number} isMarked={isMarked} />
      <Cells cells={cells} columns={columns} role="cell" marked={markedCells} />
    </div>
  );
}

/** Returns the names of the columns. A column without a name is labeled with its number. */
function namesOf(header: readonly string[], columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => header[column]?.trim() || String(column + 1));
}

function isMarked(index: number, marked: Props['marked']): boolean {
  return marked !== undefined && index >= marked[0] && index <= marked[1];
}

function RowNumber({ number, isMarked }: { number: number; isMarked: boolean }) {
  return (
    <span role="rowheader" className={`${CELL} bg-sunken text-right text-muted tabular-nums`}>
      {isMarked ? <mark className="bg-transparent font-semibold text-ink">{number}</mark> : number}
    </span>
  );
}

interface CellsProps {
  cells: readonly string[];
  columns: number;
  role: 'cell' | 'columnheader';
  marked?: ReadonlySet<number> | undefined;
}

function Cells({ cells, columns, role, marked }: CellsProps) {
  return Array.from({ length: columns }, (_, column) => {
    const key = `column ${column}`;
    const text = cells[column]?.slice(0, MAX_CELL);
    return (
      <span role={role} key={key} className={`${CELL} ${marked?.has(column) ? 'bg-mark' : ''}`} title={text}>
        {marked?.has(column) ? <mark className="bg-transparent text-ink">{text}</mark> : text}
      </span>
    );
  });
}
