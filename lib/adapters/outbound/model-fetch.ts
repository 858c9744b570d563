import { isIP } from 'node:net';
import type { Dispatcher } from 'undici';
import type { ServerGuard } from '../../config/models.ts';
import { UpstreamFailed } from '../../errors.ts';
import { isOwnNetwork, mayServeModels, modelServerLookup } from './model-address.ts';
import { loadUndici } from './pinned-agent.ts';
import { proxyAgentOptions } from './proxy.ts';

const CONNECT_TIMEOUT_MS = 10_000;

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Returns the fetch for a model server. Doesn't follow redirects, whose target would get the key and the
 * prompt. A server that the operator named may be anywhere (`guard` is undefined); one from the settings must
 * have an allowed address.
 */
export function modelFetch(guard: ServerGuard | undefined): Fetch {
  if (guard === undefined) return fetchPatiently;
  let agent: Promise<Dispatcher> | undefined;
  return async (url, init) => {
    const host = new URL(String(url)).hostname.replace(/^\[|\]$/g, '');
    // A connection to an IP address uses no resolver.
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

/**
 * undici allows five minutes for headers and for pauses. Callers of a self-hosted server set their own
 * limits.
 */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };
let patient: Promise<Dispatcher> | undefined;

/** The global fetch with the operator's proxies. A server in the operator's network has no time limits. */
const fetchPatiently: Fetch = async (url, init) => {
  if (!(await isOwnNetwork(String(url)))) return fetch(url, { ...init, redirect: 'manual' });
  patient ??= patientDispatcher();
  const body = await encodeForm(init);
  const request = { ...init, ...body, dispatcher: await patient, redirect: 'manual' as const };
  const { fetch: send } = await loadUndici();
  return (await send(url as string, request as Parameters<typeof send>[1])) as unknown as Response;
};

async function patientDispatcher(): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent, getGlobalDispatcher } = await loadUndici();
  const usual = getGlobalDispatcher();
  if (!(usual instanceof EnvHttpProxyAgent)) return new Agent(NO_LIMITS);
  return usual.compose((dispatch) => (options, handler) => dispatch({ ...options, ...NO_LIMITS }, handler));
}

/** Encodes a form as bytes, because undici's fetch rejects Node's FormData, which is another class. */
async function encodeForm({ body, headers }: RequestInit = {}): Promise<RequestInit> {
  if (!(body instanceof FormData)) return {};
  const encoded = new Response(body);
  const all = new Headers(headers);
  all.set('content-type', encoded.headers.get('content-type') ?? '');
  return { body: await encoded.arrayBuffer(), headers: all };
}

async function connect({ policy, proxy }: ServerGuard): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await loadUndici();
  const options = {
    ...NO_LIMITS,
    connect: { lookup: modelServerLookup(policy), timeout: CONNECT_TIMEOUT_MS },
  };
  const proxied = proxyAgentOptions(proxy);
  return proxied === undefined
    ? new Agent(options)
    : new EnvHttpProxyAgent({ ...proxied, ...options, allowH2: false });
}
