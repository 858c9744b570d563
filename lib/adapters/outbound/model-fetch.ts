import { isIP } from 'node:net';
import type { Dispatcher } from 'undici';
import type { ServerGuard } from '../../config.ts';
import { UpstreamFailed } from '../../errors.ts';
import { mayServeModels, modelServerLookup } from './model-address.ts';
import { loadUndici } from './pinned-agent.ts';
import { proxyAgentOptions } from './proxy.ts';

const CONNECT_TIMEOUT_MS = 10_000;

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The fetch for a model server. One that the operator named is asked as it is (`guard` undefined). One that an
 * administrator named in the settings is asked without following redirects, which would take the key along, and only at
 * addresses that the service may connect to.
 */
export function modelFetch(guard: ServerGuard | undefined): Fetch {
  if (guard === undefined) return fetch;
  let agent: Promise<Dispatcher> | undefined;
  return async (url, init) => {
    const host = new URL(String(url)).hostname.replace(/^\[|\]$/g, '');
    // A connection to an IP address asks no resolver.
    if (isIP(host) !== 0 && !mayServeModels(host, guard.policy))
      throw new UpstreamFailed('model_unreachable', `The service may not connect to ${host}.`);
    agent ??= connect(guard);
    const { fetch } = await loadUndici();
    const body = await encodeForm(init);
    const request = { ...init, ...body, dispatcher: await agent, redirect: 'manual' } as Parameters<
      typeof fetch
    >[1];
    return (await fetch(url as string | URL, request)) as unknown as Response;
  };
}

/** A form as bytes: undici's fetch takes no FormData of Node's, which is another class. */
async function encodeForm({ body, headers }: RequestInit = {}): Promise<RequestInit> {
  if (!(body instanceof FormData)) return {};
  const encoded = new Response(body);
  const all = new Headers(headers);
  all.set('content-type', encoded.headers.get('content-type') ?? '');
  return { body: await encoded.arrayBuffer(), headers: all };
}

async function connect({ policy, proxy }: ServerGuard): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await loadUndici();
  const options = { connect: { lookup: modelServerLookup(policy), timeout: CONNECT_TIMEOUT_MS } };
  const proxied = proxyAgentOptions(proxy);
  return proxied === undefined
    ? new Agent(options)
    : new EnvHttpProxyAgent({ ...proxied, ...options, allowH2: false });
}
