import type { ReactNode } from 'react';

/** The path at which the service serves its documentation; with DOCS_URL it leads on to the same page there. */
const DOCS = '/api/docs/pages';

interface Props {
  /** The page's path below `docs/`, without its ending. */
  page: string;
  children: ReactNode;
}

/** Opens a page of the documentation beside the console. */
export function DocsLink({ page, children }: Props) {
  return (
    <a href={`${DOCS}/${page}`} target="_blank" rel="noopener" className="text-accent underline">
      {children}
    </a>
  );
}
