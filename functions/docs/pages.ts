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

/** Throws NotFound. */
export function findDocsPage(pages: DocsPages, path: string): string {
  const html = pages.get(path) ?? pages.get(`${path}/README`);
  if (html === undefined) throw new NotFound('no such page');
  return html;
}
