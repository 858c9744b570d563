import * as z from 'zod';
import { NotFound } from '../../lib/errors.ts';
import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, type RouteInput, routeFor } from '../../lib/http/route.ts';
import { etagOfText, tagsOf } from '../../lib/records/etag.ts';
import {
  describeResource,
  METADATA_PATH,
  protectedResourceSchema,
  type ResourceSettings,
} from '../../lib/tokens/protected-resource.ts';
import { type DocsPages, findDocsPage, PAGES_POLICY } from './pages.ts';
import { SEARCH_PAGE, showFound } from './search.ts';

export interface DocsPorts extends HttpPorts {
  /**
   * Returns a file that the build put next to the function: `openapi.json`, `swagger-ui.css`, `swagger-ui-bundle.js`.
   */
  readAsset(name: string): Promise<string>;
  readPages(): Promise<DocsPages>;
  /** URL of another site that serves the same pages at the same paths. */
  docsUrl: string | undefined;
  resource: ResourceSettings;
}

const MEDIA_TYPES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'pages.css': 'text/css; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
};

const route = routeFor<DocsPorts>();
const notModified = { mediaType: 'text/plain', description: 'Empty body.' };

/** A route that describes the whole service, for clients that request this path. */
function resourceMetadata(path: string, operationId: string) {
  return route({
    method: 'GET',
    path,
    operationId,
    summary: 'Get the OAuth protected resource metadata',
    description: 'Returns the issuers of the credentials of the Model Context Protocol (RFC 9728).',
    access: 'public',
    replies: { 200: protectedResourceSchema },
    handle: async (_input, { resource }) => reply(200, describeResource(resource)),
  });
}

const segment = z.string().max(200).describe('Part of the path of the page, without `.md`.');

const pageQuery = z.object({
  q: z.string().max(200).optional().describe('Words to search for, with the page `search`.'),
});

/** A route for a page of docs/, or a redirect if DOCS_URL is set. */
function docsPage(path: string, operationId: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return route({
    method: 'GET',
    path,
    operationId,
    summary: 'Get a page of the documentation',
    access: 'public',
    params: z.object(Object.fromEntries(names.map((name) => [name, segment]))),
    query: pageQuery,
    replies: {
      200: { mediaType: 'text/html', description: 'The page.' },
      302: { mediaType: 'text/plain', description: 'The page at DOCS_URL, or the start page of a folder.' },
      304: notModified,
    },
    errors: ['route_not_found'],
    async handle(input, { readPages, docsUrl }) {
      const page = names.map((name) => input.params[name]).join('/');
      const pages = await readPages();
      const found = findDocsPage(pages, page);
      if (docsUrl !== undefined) {
        const there = page === SEARCH_PAGE ? 'README' : page;
        return reply(302, '', { location: `${docsUrl.replace(/\/$/, '')}/${there}` });
      }
      if ('location' in found) return reply(302, '', found);
      const policy = { 'content-security-policy': PAGES_POLICY };
      const html = page === SEARCH_PAGE ? showFound(pages, found.html, input.query.q) : found.html;
      return answerText(input, html, 'text/html; charset=utf-8', policy);
    },
  });
}

export const docsRoutes = [
  route({
    method: 'GET',
    path: '/api/docs/pages',
    operationId: 'getDocsStartPage',
    summary: 'Get the start page of the documentation',
    access: 'public',
    replies: { 302: { mediaType: 'text/plain', description: 'The start page.' } },
    handle: async (_input, { docsUrl }) => reply(302, '', { location: docsUrl ?? 'pages/README' }),
  }),
  docsPage('/api/docs/pages/{page}', 'getDocsPage'),
  docsPage('/api/docs/pages/{folder}/{page}', 'getDocsPageInFolder'),
  resourceMetadata(METADATA_PATH, 'getProtectedResource'),
  resourceMetadata(`${METADATA_PATH}/api/mcp`, 'getMcpProtectedResource'),
  route({
    method: 'GET',
    path: '/api/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'Get the OpenAPI document',
    access: 'public',
    replies: {
      200: { mediaType: 'application/json', description: 'OpenAPI 3.1 document.' },
      304: notModified,
    },
    handle: async (input, { readAsset }) =>
      answerText(input, await readAsset('openapi.json'), 'application/json'),
  }),
  route({
    method: 'GET',
    path: '/api/docs',
    operationId: 'getDocs',
    summary: 'Get the API reference page',
    description: 'Returns a page on which you can read this document and try its operations.',
    access: 'public',
    replies: { 200: { mediaType: 'text/html', description: 'Swagger UI page.' }, 304: notModified },
    handle: async (input) =>
      answerText(input, DOCS_PAGE, 'text/html; charset=utf-8', { 'content-security-policy': DOCS_POLICY }),
  }),
  route({
    method: 'GET',
    path: '/api/docs/{asset}',
    operationId: 'getDocsAsset',
    summary: 'Get a file of the API reference page',
    access: 'public',
    params: z.object({ asset: z.string().max(100).describe('File name of the asset.') }),
    replies: {
      200: { mediaType: 'text/javascript', description: 'Script or style sheet.' },
      304: notModified,
    },
    errors: ['route_not_found'],
    async handle(input, { readAsset }) {
      const { asset } = input.params;
      const mediaType = Object.hasOwn(MEDIA_TYPES, asset) ? MEDIA_TYPES[asset] : undefined;
      if (mediaType === undefined) throw new NotFound('route_not_found', 'This file does not exist.');
      return answerText(input, asset === 'start.js' ? DOCS_START : await readAsset(asset), mediaType);
    },
  }),
];

/**
 * Returns text with `no-cache`, so that browsers cache it but revalidate it each time. The ETag keeps that
 * response short.
 */
function answerText(
  { headers }: Pick<RouteInput, 'headers'>,
  text: string,
  mediaType: string,
  more: Record<string, string> = {},
) {
  const etag = etagOfText(text);
  const kept = { etag, 'cache-control': 'no-cache', 'content-type': mediaType, ...more };
  const known = tagsOf(headers['if-none-match'] ?? '');
  return known.includes(etag) ? reply(304, '', kept) : reply(200, text, kept);
}

/** The page of GET /api/docs: Swagger UI from the service's own assets, without inline or external code. */
const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Workspace Research Service: API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<p><a href="docs/pages/README">Documentation</a></p>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Starts Swagger UI. URLs are relative to /api/docs, so that they also work below a stage path (/dev/api/docs). */
const DOCS_START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });
`;

/**
 * The policy: Swagger UI draws its icons from data: URLs and sets style attributes. Scripts can only be the
 * service's own.
 */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
