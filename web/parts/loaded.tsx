import type { ReactNode } from 'react';
import { Skeletons } from './empty-state.tsx';
import { Problem } from './problem.tsx';
import { Rows } from './rows.tsx';

interface Shown<Data> {
  /** The result of useQuery, or a combination of several. */
  query: { data: Data | undefined; error: Error | null; isPending: boolean; refetch: () => unknown };
  /** Number of placeholders until the data arrive; 0 for none. */
  rows?: number;
  rowClass?: string;
  /** Shown instead of the contents if there are none. */
  empty?: ReactNode;
}

interface Props<Data> extends Shown<Data> {
  /** Returns whether the contents are empty. By default, that means an empty list. */
  isEmpty?: (data: Data) => boolean;
  children: (data: Data) => ReactNode;
}

/** A query in each of its states. Its data stays visible while it is refetched, and if that fails. */
export function Loaded<Data>({ query, rows, rowClass, empty, isEmpty = hasNoItems, children }: Props<Data>) {
  const { data, error, isPending, refetch } = query;
  return (
    <>
      <Problem error={error} onRetry={() => refetch()} />
      {isPending && rows !== 0 && <Skeletons rows={rows} className={rowClass} />}
      {data !== undefined && (empty !== undefined && isEmpty(data) ? empty : children(data))}
    </>
  );
}

function hasNoItems(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0;
}

interface RowsProps<Item> extends Shown<Item[]> {
  label: string;
  children: (item: Item) => ReactNode;
}

/** Renders a query like Loaded, as a list with one row per item. */
export function LoadedRows<Item>({ label, children, ...shown }: RowsProps<Item>) {
  return (
    <Loaded {...shown}>{(items) => <Rows label={label}>{items.map((item) => children(item))}</Rows>}</Loaded>
  );
}
