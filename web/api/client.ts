import createClient, { type Middleware } from 'openapi-fetch';
import { readLateError } from '../../lib/api-contract/late-answer.ts';
import type { paths, Schemas } from '../../lib/api-contract/schema.ts';
import { authorization, forgetRefused } from '../access/credential.ts';
import { ANSWER_LOST, ApiError } from './api-error.ts';
import { fetchErrorMessages } from './error-message.ts';

export { ApiError };

const withCredential: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value);
    return request;
  },
};

const client = createClient<paths>({ fetch: (request: Request) => callApi(request) });
client.use(withCredential);

/** The API, typed by its own document. `take` returns a call's data, or throws an ApiError. */
export const api = client;

/** Sends every request. Forgets a refused credential, and gives each failure a status. */
export async function callApi(input: string | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(
    input instanceof Request ? input.headers : { ...authorization(), ...init.headers },
  );
  const options = { credentials: 'omit', cache: 'no-store', ...init, headers } as const;
  const response = await fetch(input, options).catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, '');
  });
  if (response.status === 401) forgetRefused(headers.get('authorization'));
  if (!response.ok) throw await refusal(response);
  return response.status === 202 && isJson(response) ? withResult(response) : response;
}

/** Returns whether a response is JSON. A proxy may have added parameters to the content type. */
function isJson({ headers }: Response): boolean {
  const [mediaType = ''] = headers.get('content-type')?.split(';') ?? [];
  return mediaType.trim().toLowerCase() === 'application/json';
}

/**
 * Waits for the result of a slow request, which may be a failure, because the response started before the
 * outcome was known.
 */
async function withResult(response: Response): Promise<Response> {
  const text = await response.text().catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    return '';
  });
  const body = parsed(text);
  if (body === undefined) throw new ApiError(0, '', { code: ANSWER_LOST });
  const failure = readLateError(body);
  if (failure === undefined) return new Response(text, response);
  await fetchErrorMessages();
  const { status, error, code, field, retryAfter } = failure;
  throw new ApiError(status, error, { code, field, retryAfterMs: retryAfter && retryAfter * 1000 });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the error in a failed response, after the page has fetched the words for it. A response from elsewhere, such as
 * a bucket, has only its status.
 */
export async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Partial<Schemas['ErrorResponse']>;
  await fetchErrorMessages();
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const message = typeof body.error === 'string' ? body.error : response.statusText;
  return new ApiError(response.status, message, {
    code: response.headers.get('x-error-code') ?? undefined,
    field: response.headers.get('x-error-field') ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  });
}

export async function take<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call;
  return data as Data;
}
