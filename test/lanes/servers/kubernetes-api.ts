import { Agent, fetch as undiciFetch } from 'undici';

/** Calls a control plane on loopback, which has its own certificate. */
export type KubernetesApi = <Body = unknown>(method: string, path: string, body?: unknown) => Promise<Body>;

const agent = new Agent({ connect: { rejectUnauthorized: false } });

/** For health endpoints, too: fetch without a certificate check. */
export const fetchOnLoopback = ((url, init) =>
  undiciFetch(url as string, { ...(init as object), dispatcher: agent })) as typeof globalThis.fetch;

/** Throws the server's own message on any status except 2xx. A PATCH is a server-side apply. */
export function kubernetesApi(server: string, token: string): KubernetesApi {
  return async <Body>(method: string, path: string, body?: unknown) => {
    const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
    const response = await fetchOnLoopback(`${server}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  };
}
