import type { APIGatewayProxyEvent } from 'aws-lambda';
import { NotFound } from '../../lib/errors.ts';

/** The policy of plain HTML: no scripts, and only this service's styles and images. */
export const PAGES_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'", // for the search form
  "frame-ancestors 'none'",
].join('; ');

/** The pages of docs/ by path, such as `guides/ocr`, created by the build (infra/docs-pages.ts). */
export type DocsPages = ReadonlyMap<string, string>;

export function parseDocsPages(json: string): DocsPages {
  return new Map(Object.entries(JSON.parse(json) as Record<string, string>));
}

/**
 * Returns the page, or the URL to redirect to. A folder's page, with or without a trailing slash, is its
 * README. For a file name with `.md`, returns the page without the extension. Throws NotFound.
 */
export function findDocsPage(pages: DocsPages, path: string): { html: string } | { location: string } {
  const html = pages.get(path);
  if (html !== undefined) return { html };
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '' && pages.has(`${path}README`)) return { location: 'README' };
  if (pages.has(`${path}/README`)) return { location: `${name}/README` };
  if (name.endsWith('.md') && pages.has(path.slice(0, -3))) return { location: name.slice(0, -3) };
  throw new NotFound('route_not_found', 'This page does not exist.');
}

const FOLDER_PATH = /\/api\/docs\/pages\/(?:([^/]+)\/)?$/;

/** Routes a path that ends in a slash, which matches no route, to the page with an empty name. */
export function placeFolder(event: Pick<APIGatewayProxyEvent, 'path' | 'resource' | 'pathParameters'>): void {
  const found = FOLDER_PATH.exec(event.path);
  if (found === null) return;
  const [, folder] = found;
  event.resource = folder === undefined ? '/api/docs/pages/{page}' : '/api/docs/pages/{folder}/{page}';
  event.pathParameters = { ...(folder !== undefined && { folder }), page: '' };
}
