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
import { DOCS_PAGE, DOCS_POLICY, DOCS_START } from './page.ts';

export interface DocsPorts extends HttpPorts {
  /** A file that the build put beside the function: `openapi.json`, `swagger-ui.css`, `swagger-ui-bundle.js`. */
  readAsset(name: string): Promise<string>;
  resource: ResourceSettings;
}

const MEDIA_TYPES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
};

const route = routeFor<DocsPorts>();
const notModified = { mediaType: 'text/plain', description: 'Nothing' };

/** Describes the service as a whole, and the one path whose clients ask for it. */
function resourceMetadata(path: string) {
  return route({
    method: 'GET',
    path,
    summary: 'Who issues the credentials of the Model Context Protocol (RFC 9728)',
    access: 'public',
    replies: { 200: protectedResourceSchema },
    handle: async (_input, { resource }) => reply(200, describeResource(resource)),
  });
}

export const docsRoutes = [
  resourceMetadata(METADATA_PATH),
  resourceMetadata(`${METADATA_PATH}/api/mcp`),
  route({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    access: 'public',
    replies: { 200: { mediaType: 'application/json', description: 'OpenAPI 3.1' }, 304: notModified },
    handle: async (input, { readAsset }) =>
      answerText(input, await readAsset('openapi.json'), 'application/json'),
  }),
  route({
    method: 'GET',
    path: '/api/docs',
    summary: 'This document as a page to read and to try',
    access: 'public',
    replies: { 200: { mediaType: 'text/html', description: 'Swagger UI' }, 304: notModified },
    handle: async (input) =>
      answerText(input, DOCS_PAGE, 'text/html; charset=utf-8', { 'content-security-policy': DOCS_POLICY }),
  }),
  route({
    method: 'GET',
    path: '/api/docs/{asset}',
    summary: 'A script or style sheet of the page',
    access: 'public',
    params: z.object({ asset: z.string().max(100) }),
    replies: { 200: { mediaType: 'text/javascript', description: 'The file' }, 304: notModified },
    refusals: [404],
    async handle(input, { readAsset }) {
      const { asset } = input.params;
      const mediaType = Object.hasOwn(MEDIA_TYPES, asset) ? MEDIA_TYPES[asset] : undefined;
      if (mediaType === undefined) throw new NotFound('route_not_found', 'This file does not exist.');
      return answerText(input, asset === 'start.js' ? DOCS_START : await readAsset(asset), mediaType);
    },
  }),
];

/** `no-cache` lets browsers keep the text but ask each time; the ETag makes the answer short. */
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
