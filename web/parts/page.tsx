import type { ReactNode } from 'react';

interface Props {
  /** True for tables and images, not for sentences. */
  isWide?: boolean;
  children: ReactNode;
}

/** A scrolling view in one column. */
export function Page({ isWide = false, children }: Props) {
  return (
    <div className="h-full overflow-y-auto">
      <div className={`mx-auto w-full px-5 py-8 ${isWide ? 'max-w-4xl' : 'max-w-3xl'}`}>{children}</div>
    </div>
  );
}
