import { Agent, fetch as undiciFetch } from 'undici';

/** Asks a control plane on loopback, whose certificate is its own. */
export type KubernetesApi = <Body = unknown>(method: string, path: string, body?: unknown) => Promise<Body>;

const agent = new Agent({ connect: { rejectUnauthorized: false } });

/** For health addresses, too: fetch without a look at the certificate. */
export const fetchOnLoopback = ((url, init) =>
  undiciFetch(url as string, { ...(init as object), dispatcher: agent })) as typeof globalThis.fetch;

/** Throws with the server's own words on anything but 2xx. A PATCH is a server-side apply. */
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
