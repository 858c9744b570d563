import httpMultipartBodyParser from '@middy/http-multipart-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { InvalidInput } from '../errors.ts';
import type { Route } from './route.ts';

/** The most a multipart body may hold: one file and a handful of short fields. */
const MULTIPART_LIMITS = { fields: 20, files: 1, parts: 25, fieldSize: 64 * 1024, headerPairs: 100 };

const parseMultipart = httpMultipartBodyParser({
  disableContentTypeCheck: true, // its own check refuses boundaries that RFC 2046 allows
  busboy: { limits: MULTIPART_LIMITS },
}).before as unknown as (request: { event: APIGatewayProxyEvent }) => Promise<void>;

/** The body as the route takes it, not yet checked by its schema. Throws InvalidInput when it cannot be read. */
export async function readBody<Ports>(route: Route<Ports>, event: APIGatewayProxyEvent): Promise<unknown> {
  if (route.body === undefined) return undefined;
  const expected = route.bodyType ?? 'application/json';
  const sent = (event.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (sent !== expected) throw new InvalidInput(`content-type must be ${expected}`);
  return expected === 'multipart/form-data' ? readMultipart(event) : readJson(event);
}

function readJson(event: APIGatewayProxyEvent): unknown {
  const text = event.isBase64Encoded
    ? Buffer.from(event.body ?? '', 'base64').toString()
    : (event.body ?? '');
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput('the body is not valid JSON');
  }
}

async function readMultipart(event: APIGatewayProxyEvent): Promise<unknown> {
  const request = { event: { ...event } };
  try {
    await parseMultipart(request);
  } catch (error) {
    throw new InvalidInput('the body is not valid multipart/form-data', { cause: error });
  }
  return { ...(request.event.body as unknown as object) };
}
