import type { ReactNode } from 'react';

/** A view that is read from above: one column, which scrolls. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto w-full max-w-3xl px-5 py-8">{children}</div>
    </div>
  );
}
