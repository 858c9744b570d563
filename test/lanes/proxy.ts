import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { type Service, startService } from '../support/service.ts';
import { eventually, syncWorkspace } from '../support/sync.ts';
import { cleanUp } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { CARELESS } from './proxy/careless.ts';
import {
  callThrough,
  HOST,
  type ProxyName,
  type ReverseProxy,
  startReverseProxy,
} from './servers/reverse-proxies.ts';
import { step } from './step.ts';
import { tokenOf } from './web/token-of.ts';

/**
 * nginx and Caddy from Debian in front of the service, with the configurations of docs/deploy/reverse-proxy.md:
 * answers stream, large uploads arrive, and the audit log has addresses that no client can forge. Then careless
 * configurations in front of a service without sign-in, each of which must be refused.
 */
const UPLOAD_BYTES = 50_000_000;
/** The address of a client; the proxies themselves use 127.0.0.1. */
const CLIENT = '127.0.0.7';
const FORGED = '203.0.113.9';

const provider = await startFakeOpenai({ paceMs: 100 });
provider.answer = () => Array.from({ length: 30 }, (_, at) => `word${at} `);

try {
  for (const name of ['nginx', 'Caddy'] as const) await useDocumented(name);
  await step('refused at the start', refuseAtStart);
  for (const careless of CARELESS) await step(careless.name, () => tryHole(careless));
} finally {
  await provider.stop();
  await cleanUp();
}

interface Behind {
  proxy: ReverseProxy;
  service: Service;
  admin: { authorization: string };
  workspaceId: string;
}

async function useDocumented(name: ProxyName): Promise<void> {
  const service = await startService({
    AUTH_MODE: 'token',
    PUBLIC_URL: `https://${HOST}`,
    TRUSTED_PROXIES: '127.0.0.1',
    PROVIDER_A_BASE_URL: provider.url,
  });
  const admin = { authorization: `Bearer ${await tokenOf(service, 'admin')}` };
  const call: Service['call'] = (method, path, body) => service.call(method, path, body, admin);
  const { id: workspaceId } = await makeWorkspace({ call }, 'library');
  await syncWorkspace({ call }, workspaceId);
  const behind = { service, admin, workspaceId, proxy: await startReverseProxy(name, service.url) };
  await step(`${name}: a streamed answer`, () => streamAnswer(behind));
  await step(`${name}: an upload of 50 MB`, () => uploadLarge(behind));
  await step(`${name}: addresses`, () => auditAddresses(behind));
  await Promise.all([behind.proxy.stop(), service.stop()]);
}

/** The first word must arrive long before the last: the model takes three seconds for its 30 words. */
async function streamAnswer({ proxy, admin, workspaceId }: Behind): Promise<void> {
  const messages = [{ role: 'user', content: 'When do owls hunt?' }];
  const answer = await post(proxy, '/api/chat', { workspaceId, messages }, admin);
  const arrivals: number[] = [];
  let text = '';
  for await (const chunk of answer) {
    text += chunk;
    if (/text-delta/.test(String(chunk))) arrivals.push(performance.now());
  }
  assert.match(text, /word29/);
  const spread = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
  assert.ok(arrivals.length > 10 && spread > 1500, `${arrivals.length} parts within ${spread.toFixed(0)} ms`);
  console.log(`  ${arrivals.length} parts over ${(spread / 1000).toFixed(1)} s`);
}

/** Sends one signed PUT, and compares the bytes that come back. */
async function uploadLarge({ proxy, admin, workspaceId }: Behind): Promise<void> {
  const bytes = randomBytes(UPLOAD_BYTES);
  const begun = { workspaceId, path: 'large.bin', size: bytes.length };
  const { url, uploadId, headers } = await json(
    await post(proxy, '/api/files/uploads', begun, admin),
    202,
    201,
  );
  assert.equal(new URL(url).host, HOST);
  const path = new URL(url).pathname + new URL(url).search;
  await json(await callThrough(proxy, { path, method: 'PUT', headers, body: bytes }), 200);
  const state = async () => json(await get(proxy, `/api/files/uploads/${uploadId}`, admin), 200);
  const { status, error } = await eventually(state, (each) => ['done', 'failed'].includes(each.status));
  assert.equal(status, 'done', error);
  const query = new URLSearchParams({ workspaceId, path: 'large.bin' });
  const back = await get(proxy, `/api/files/raw?${query}`, admin);
  assert.equal(hash(await buffer(back)), hash(bytes));
}

/** Each audited call uses another name, by which its entry is found. */
async function auditAddresses({ proxy, service, admin }: Behind): Promise<void> {
  const forged = { ...admin, 'x-forwarded-for': FORGED };
  const token = (name: string) => ({ name, role: 'viewer', workspaceIds: null });
  await json(await post(proxy, '/api/tokens', token('plain'), admin, CLIENT), 201);
  await json(await post(proxy, '/api/tokens', token('forged'), forged, CLIENT), 201);
  await json(
    await post(
      proxy,
      '/api/tokens',
      token('twice'),
      { ...forged, 'x-forwarded-for': `${FORGED}, 127.0.0.1` },
      CLIENT,
    ),
    201,
  );
  const { body } = await service.call<{ about: string; address: string }[]>(
    'GET',
    '/api/audit',
    undefined,
    admin,
  );
  const addresses = body
    .filter(({ about }) => /plain|forged|twice/.test(about))
    .map(({ address }) => address);
  assert.deepEqual(addresses, [CLIENT, CLIENT, CLIENT]);
}

/** Without sign-in, a service whose settings mention a proxy doesn't start. */
async function refuseAtStart(): Promise<void> {
  const outside = { PUBLIC_URL: `https://${HOST}`, HOST: '0.0.0.0', CORS_ORIGINS: `https://${HOST}` };
  for (const [name, value] of Object.entries(outside))
    await assert.rejects(
      startService({ AUTH_MODE: 'disabled', [name]: value }),
      new RegExp(`loopback ${name}`),
    );
}

/** No call through the proxy gets an answer or creates a token. */
async function tryHole({ proxy: name, configuration, user }: (typeof CARELESS)[number]): Promise<void> {
  if (user !== 'root' && process.getuid?.() !== 0) return console.log('  skipped: needs root');
  const service = await startService();
  const proxy = await startReverseProxy(name, service.url, configuration, user);
  const page = { origin: `https://${HOST}`, referer: `https://${HOST}/`, 'sec-fetch-site': 'same-origin' };
  const evil = { name: 'evil', role: 'admin', workspaceIds: null };
  for (const headers of [{}, page])
    for (const answer of [
      await get(proxy, '/api/workspaces', headers),
      await post(proxy, '/api/tokens', evil, headers),
    ]) {
      const { error } = await json(answer, 403);
      assert.equal(answer.headers['x-error-code'], 'origin_refused');
      assert.doesNotMatch(error, /CORS_ORIGINS/);
    }
  assert.deepEqual((await service.call('GET', '/api/tokens')).body, []);
  await Promise.all([proxy.stop(), service.stop()]);
}

function get(proxy: ReverseProxy, path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return callThrough(proxy, { path, headers });
}

function post(
  proxy: ReverseProxy,
  path: string,
  body: unknown,
  headers: Record<string, string>,
  from?: string,
): Promise<IncomingMessage> {
  const typed = { ...headers, 'content-type': 'application/json' };
  return callThrough(proxy, {
    ...{ path, method: 'POST', headers: typed, body: JSON.stringify(body) },
    ...(from !== undefined && { from }),
  });
}

/** Reads a response; fails with its text if its status is none of these. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes are those of the API
async function json(answer: IncomingMessage, ...statuses: number[]): Promise<any> {
  const text = String(await buffer(answer));
  assert.ok(statuses.includes(answer.statusCode ?? 0), `${answer.statusCode}: ${text.slice(0, 300)}`);
  return text === '' ? {} : JSON.parse(text);
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
