import createClient, { type Middleware } from 'openapi-fetch';
import { authorization, forgetRefused } from '../access/credential.ts';
import type { paths, Schemas } from './schema.ts';

/** What the service refused, in its own words. `status` 0: it was not reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

const withCredential: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value);
    return request;
  },
};

const client = createClient<paths>({ fetch: (request: Request) => callApi(request) });
client.use(withCredential);

/** The API, typed by its own document; `take` makes an answer of a call, or throws an ApiError. */
export const api = client;

/** Sends every request: a credential that is refused is forgotten, and a failure has a status. */
export async function callApi(input: RequestInfo, init: RequestInit = {}): Promise<Response> {
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
  return response;
}

async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Partial<Schemas['ErrorResponse']>;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  return new ApiError(
    response.status,
    typeof body.error === 'string' ? body.error : response.statusText,
    wait,
  );
}

export async function take<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call;
  return data as Data;
}
