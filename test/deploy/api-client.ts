import type { Answer, Service } from '../support/service.ts';

/** Calls the deployed API with a token, as `call` of test/support/service.ts calls the host. */
export function apiClient(url: string, token?: string): Pick<Service, 'call'> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    async call<Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(`${url}${path}`, {
        method,
        body: body === undefined ? null : JSON.stringify(body),
        headers: { ...type, ...authorization, ...headers },
      });
      return readAnswer<Body>(response);
    },
  };
}

async function readAnswer<Body>(response: Response): Promise<Answer<Body>> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body = (isJson ? JSON.parse(bytes.toString()) : bytes.toString()) as Body;
  return { status: response.status, body, bytes, headers: Object.fromEntries(response.headers) };
}
