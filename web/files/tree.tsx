import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeletons } from '../parts/empty-state.tsx';
import { formatBytes } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { pressedKey } from '../parts/pressed-key.ts';
import { Problem } from '../parts/problem.tsx';
import { folderQuery } from './queries.ts';
import { type Entry, foldersAbove, type TreeRow, treeRows } from './tree-rows.ts';

const ROW_PX = 32;

interface Props {
  workspaceId: string;
  selected: string | undefined;
  onSelect: (path: string) => void;
  /** Called with the active entry of the tree. */
  onActive?: ((entry: Entry | undefined) => void) | undefined;
  checks?: Checks | undefined;
  /** Returns whether the tree shows a file. By default, it shows all files. */
  shows?: ((path: string) => boolean) | undefined;
}

/** Checkboxes before the names. The space bar toggles one, Enter opens the entry. */
interface Checks {
  of(path: string): boolean | 'mixed';
  toggle(path: string): void;
}

/** The tree of files. Folders are loaded when they are opened, and only visible rows are rendered. */
export function Tree({ workspaceId, selected, onSelect, onActive, checks, shows = () => true }: Props) {
  const [open, setOpen] = useState(() => new Set(foldersAbove(selected ?? '')));
  const folders = useMemo(() => ['', ...open], [open]);
  const read = useQueries({ queries: folders.map((path) => folderQuery(workspaceId, path)) });
  const [root] = read;
  const listed = new Map(
    folders.map((path, place) => [
      path,
      (read[place]?.data ?? []).filter(({ type, path: each }) => type === 'directory' || shows(each)),
    ]),
  );
  const version = read.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for the listed entries
  const rows = useMemo(() => treeRows(listed, open), [version, open]);
  useEffect(() => {
    const above = foldersAbove(selected ?? '');
    setOpen((before) => (above.every((path) => before.has(path)) ? before : new Set([...before, ...above])));
  }, [selected]);
  const toggle = (path: string) =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  if (root?.error) return <Problem error={root.error} onRetry={() => root.refetch()} />;
  if (!root?.data) return <Skeletons rows={8} className="h-6" />;
  return (
    <Rows
      rows={rows}
      selected={selected}
      onSelect={onSelect}
      onToggle={toggle}
      onActive={onActive}
      checks={checks}
    />
  );
}

interface RowsProps {
  rows: TreeRow[];
  selected: string | undefined;
  onSelect: (path: string) => void;
  onActive?: ((entry: Entry | undefined) => void) | undefined;
  onToggle: (path: string) => void;
  checks: Checks | undefined;
}

/**
 * The visible rows. The focus stays on the tree, which names the active row, because rows appear and
 * disappear while it scrolls.
 */
function Rows({ rows, selected, onSelect, onToggle, onActive, checks }: RowsProps) {
  const { t } = useTranslation();
  const pane = useRef<HTMLDivElement>(null);
  const [active, setActive] = useActive(rows, selected);
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where one goes by the keyboard
  useEffect(() => drawn.scrollToIndex(active), [active]);
  const here = rows[active]?.entry;
  useEffect(() => onActive?.(here), [here, onActive]);
  const { act, press } = actions({ rows, active, setActive, onSelect, onToggle, checks });
  const items = drawn.getVirtualItems();
  const isDrawn = items.some(({ index }) => index === active);
  return (
    <div
      ref={pane}
      role="tree"
      aria-label={t('files.tree')}
      aria-activedescendant={isDrawn ? `row-${active}` : undefined}
      tabIndex={0}
      onKeyDown={press}
      className="h-full overflow-y-auto"
    >
      <div role="presentation" className="relative" style={{ height: drawn.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <Row
            key={rows[index]?.entry.path}
            id={`row-${index}`}
            row={rows[index] as TreeRow}
            top={start}
            isActive={index === active}
            isSelected={rows[index]?.entry.path === selected}
            onAct={() => act(index)}
            checks={checks}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the active row by its path, because rows above it appear and disappear. */
function useActive(rows: TreeRow[], selected: string | undefined): [number, (place: number) => void] {
  const [path, setPath] = useState(selected);
  useEffect(() => setPath(selected), [selected]);
  const found = useMemo(() => rows.findIndex(({ entry }) => entry.path === path), [rows, path]);
  return [Math.max(0, found), (place) => setPath(rows[place]?.entry.path)];
}

interface Acting extends Pick<RowsProps, 'rows' | 'onSelect' | 'onToggle' | 'checks'> {
  active: number;
  setActive: (place: number) => void;
}

/** Returns the handlers for a click on a row, and for a key. */
function actions({ rows, active, setActive, onSelect, onToggle, checks }: Acting) {
  const act = (place: number) => {
    const row = rows[place];
    setActive(place);
    if (row?.entry.type === 'directory') onToggle(row.entry.path);
    else if (row) onSelect(row.entry.path);
  };
  const press = (event: KeyboardEvent) => {
    const key = pressedKey(event);
    const next = KEYS[key]?.(active, rows);
    if (next === undefined) return;
    event.preventDefault();
    const here = rows[active]?.entry;
    if (key === ' ' && checks && here) checks.toggle(here.path);
    else if (next === 'act') act(active);
    else setActive(next);
  };
  return { act, press };
}

/** The usual keys of a tree: up, down, home, end; right opens a folder, left closes it or moves to its parent. */
const KEYS: Record<string, (active: number, rows: TreeRow[]) => number | 'act' | undefined> = {
  ArrowDown: (active, rows) => Math.min(rows.length - 1, active + 1),
  ArrowUp: (active) => Math.max(0, active - 1),
  Home: () => 0,
  End: (_, rows) => rows.length - 1,
  Enter: () => 'act',
  ' ': () => 'act',
  ArrowRight: (active, rows) => {
    const row = rows[active];
    if (row?.entry.type !== 'directory') return undefined;
    return row.isOpen ? Math.min(rows.length - 1, active + 1) : 'act';
  },
  ArrowLeft: (active, rows) => {
    const row = rows[active];
    if (row?.isOpen) return 'act';
    const above = rows.slice(0, active).findLastIndex(({ depth }) => depth < (row?.depth ?? 0));
    return above < 0 ? undefined : above;
  },
};

interface RowProps {
  id: string;
  row: TreeRow;
  top: number;
  isActive: boolean;
  isSelected: boolean;
  onAct: () => void;
  checks: Checks | undefined;
}

function Row({ id, row, top, isActive, isSelected, onAct, checks }: RowProps) {
  const { i18n } = useTranslation();
  const { entry, depth, isOpen, position, siblings } = row;
  const isFolder = entry.type === 'directory';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and the keys
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      {...(checks ? { 'aria-checked': checks.of(entry.path) } : { 'aria-selected': isSelected })}
      aria-expanded={isFolder ? isOpen : undefined}
      onClick={onAct}
      style={{ transform: `translateY(${top}px)`, paddingLeft: `${8 + depth * 16}px`, height: ROW_PX }}
      className={`absolute inset-x-0 top-0 flex cursor-pointer items-center gap-2 rounded-sm pr-3 text-sm hover:bg-sunken ${isSelected ? 'bg-accent-soft font-medium text-accent' : ''} ${isActive ? 'ring-1 ring-line ring-inset' : ''}`}
    >
      <span className="flex w-4 shrink-0 text-muted">
        {isFolder && <Icon name={isOpen ? 'down' : 'right'} size={14} />}
      </span>
      {checks && <Box checked={checks.of(entry.path)} onToggle={() => checks.toggle(entry.path)} />}
      <span className="shrink-0 text-muted">
        <Icon name={isFolder ? 'files' : 'file'} size={16} />
      </span>
      <span className="truncate" title={entry.name}>
        {entry.name}
      </span>
      {!isFolder && (
        <span className="ml-auto shrink-0 text-xs text-muted tabular-nums">
          {formatBytes(entry.size, i18n.language)}
        </span>
      )}
    </div>
  );
}

/** A checkbox for the mouse; screen readers get its state from the row. */
function Box({ checked, onToggle }: { checked: boolean | 'mixed'; onToggle: () => void }) {
  return (
    <span
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
      className={`flex size-5 shrink-0 items-center justify-center rounded-sm border ${checked === false ? 'border-muted' : 'border-accent bg-accent text-on-accent'}`}
    >
      {checked === true && <Icon name="check" size={14} />}
      {checked === 'mixed' && <span className="h-0.5 w-2.5 bg-on-accent" />}
    </span>
  );
}
