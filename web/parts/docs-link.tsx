import type { ReactNode } from 'react';

/** The service redirects from this path to DOCS_URL, if that is set. */
const DOCS = '/api/docs/pages';

interface Props {
  /** The page's path below `docs/` without its extension, optionally with `#` and a heading. */
  page: string;
  children: ReactNode;
}

/** A link to a documentation page, in a new tab. */
export function DocsLink({ page, children }: Props) {
  return (
    <a href={`${DOCS}/${page}`} target="_blank" rel="noopener" className="text-accent underline">
      {children}
    </a>
  );
}
