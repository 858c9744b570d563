import type { ComponentProps, ReactNode } from 'react';
import { Page } from '../parts/page.tsx';
import { PageHead } from './page-head.tsx';

interface Props extends ComponentProps<typeof PageHead> {
  children: ReactNode;
}

/** A room of a workspace under its name. */
export function RoomPage({ children, ...head }: Props) {
  return (
    <Page isWide>
      <PageHead {...head} />
      {children}
    </Page>
  );
}
