import type { ReactNode } from 'react';

/** Items one below the other. A link with `WHOLE_ROW` covers its whole row. */
export function Rows({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line bg-surface">
      {children}
    </ul>
  );
}

export const WHOLE_ROW = 'block truncate text-sm font-medium after:absolute after:inset-0';

/** A row. With `isStill`, a click has an effect only on controls inside it. */
export function Row({ isStill = false, children }: { isStill?: boolean; children: ReactNode }) {
  const look = isStill ? '' : 'hover:bg-sunken';
  return (
    <li
      className={`relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 first:rounded-t-lg last:rounded-b-lg ${look}`}
    >
      {children}
    </li>
  );
}
