import type { ComponentProps, ReactNode } from 'react';
import { PageHead } from './page-head.tsx';

interface Props extends ComponentProps<typeof PageHead> {
  children: ReactNode;
}

/** A room of a workspace that is one column, and scrolls as one. */
export function RoomPage({ children, ...head }: Props) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto w-full max-w-4xl px-5 py-8">
        <PageHead {...head} />
        {children}
      </div>
    </div>
  );
}
