import { NotFound } from '../../lib/errors.ts';

/** Plain HTML: no scripts, styles and images of this service alone. */
export const PAGES_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The pages of docs/ by their path, such as `guides/ocr`: made by the build (infra/docs-pages.ts). */
export type DocsPages = ReadonlyMap<string, string>;

export function parseDocsPages(json: string): DocsPages {
  return new Map(Object.entries(JSON.parse(json) as Record<string, string>));
}

/** The page itself, or where else it is: a folder's page is its README. Throws NotFound. */
export function findDocsPage(pages: DocsPages, path: string): { html: string } | { location: string } {
  const html = pages.get(path);
  if (html !== undefined) return { html };
  if (!pages.has(`${path}/README`)) throw new NotFound('not_found', 'No such page.');
  return { location: `${path.slice(path.lastIndexOf('/') + 1)}/README` };
}
