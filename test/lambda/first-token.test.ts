import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CreatedToken } from '../../lib/tokens/schema.ts';
import { percentile } from '../bench/load.ts';
import { packagedFunctions } from '../lanes/packaged-service.ts';
import type { ProxiedRequest } from '../lanes/service-proxy.ts';
import { apiEvent, authorizerEvent } from '../package/api-event.ts';
import { putProviderKey } from '../package/deployment.ts';
import { finishSync, makeWorkspace, startSync } from './indexed-workspace.ts';
import { deployTruer, EMBEDDING_MS, MODEL_MS, type TruerDeployment } from './truer-deployment.ts';

const FILES = 100;
const COLD = 8;
const WARM = 20;
const AIM_COLD_MS = 2000;
const AIM_WARM_MS = 100;
const PRELOAD = resolve(import.meta.dirname, '../lanes/time-libraries.cjs');

/** Milliseconds by component, in the order of a question's path through them. */
type Times = Record<string, number>;

const cold: Times[] = [];
const warm: Times[] = [];
let deployment: TruerDeployment;
let workspaceId: string;
let secret: string;

beforeAll(async () => {
  await putProviderKey();
  deployment = await deployTruer({ NODE_OPTIONS: `--require=${PRELOAD}` });
  workspaceId = await makeWorkspace(deployment, 'bridges', FILES);
  await startSync(deployment, workspaceId);
  expect(await finishSync(deployment, workspaceId)).toMatchObject({ status: 'ready', newCount: FILES });
  // Otherwise, they keep LanceDB's library in the page cache.
  await Promise.all(['index-worker', 'commit-worker', 'maintain-worker'].map(deployment.renew));
  const body = { name: 'test', role: 'member' };
  const request = { method: 'POST', resource: '/api/tokens', body };
  secret = (await deployment.call<CreatedToken>('tokens', request)).body.secret;
}, 120_000);

afterAll(() => {
  process.stderr.write(`${table().join('\n')}\n`);
});

it('first token of new environments arrives in time', async () => {
  for (let count = 0; count < COLD; count++) {
    await Promise.all([deployment.renew('authorizer'), deployment.renew('chat')]);
    const init = await startBoth();
    cold.push({ ...init, ...(await askOnce(count)) });
  }
  expect(percentile(cold.map(ownWork), 0.5)).toBeLessThan(AIM_COLD_MS);
});

it('first token of used environments arrives in time', async () => {
  for (let count = 0; count < WARM; count++) warm.push(await askOnce(count));
  expect(percentile(warm.map(ownWork), 0.5)).toBeLessThan(AIM_WARM_MS);
});

/** Starts them one after the other, as a request needs them. */
async function startBoth(): Promise<Times> {
  const authorizer = await deployment.instance('authorizer');
  const chat = await deployment.instance('chat');
  return { 'authorizer: init': authorizer.initMs, 'chat: init': chat.initMs };
}

async function askOnce(number: number): Promise<Times> {
  const authorizing = await timeAuthorizer();
  const chat = await deployment.instance('chat');
  await chat.idle();
  const [started, logged] = [performance.now(), chat.output().length];
  let first = 0;
  const content = `When was bridge number ${number} opened?`;
  const body = { workspaceId, messages: [{ role: 'user', content }] };
  const event = apiEvent({ method: 'POST', resource: '/api/chat', body });
  await chat.invoke(event, {
    onText(text) {
      if (first === 0 && text.includes('"text-delta"')) first = performance.now();
    },
  });
  await chat.idle();
  const loaded = /loaded .*lancedb\.node in (\S+) ms/.exec(chat.output().slice(logged))?.[1];
  return {
    ...authorizing,
    ...splitChat(started, first, takeRequests()),
    'of it: load the library of LanceDB': Number(loaded ?? 0),
  };
}

async function timeAuthorizer(): Promise<Times> {
  const authorizer = await deployment.instance('authorizer');
  await authorizer.idle();
  takeRequests();
  const [started, throttled] = [performance.now(), authorizer.throttledMs()];
  const { payload } = await authorizer.invoke(authorizerEvent({ Authorization: `Bearer ${secret}` }));
  const whole = performance.now() - started;
  expect(payload).toMatchObject({ context: { role: 'member' } });
  await authorizer.idle();
  return {
    'authorizer: call': whole,
    'of it: waiting for DynamoDB': waited(takeRequests()),
    'of it: no processor time left': Math.min(whole, authorizer.throttledMs() - throttled),
  };
}

/** Returns the requests to all services since the last call. */
function takeRequests(): ProxiedRequest[] {
  const all = Object.values(deployment.proxies).flatMap(({ requests }) => requests.splice(0));
  return all.sort((one, other) => one.from - other.from);
}

function splitChat(started: number, first: number, requests: ProxiedRequest[]): Times {
  const find = (end: string) => requests.find(({ operation }) => operation.endsWith(end)) as ProxiedRequest;
  const [embedding, model] = [find('/embeddings'), find('/completions')];
  const before = requests.filter(({ from, service }) => from < embedding.from && service !== 'provider');
  const reached = before[0]?.from ?? embedding.from;
  const secrets = before.filter(({ service }) => service === 'secrets');
  return {
    'chat: to its first request': reached - started,
    'chat: keys, settings, records, to the embedding request': embedding.from - reached,
    'of it: waiting for Secrets Manager': waited(secrets),
    'of it: waiting for AWS, together': waited(before),
    'embedding (fake)': embedding.to - embedding.from,
    'chat: search, from the vector to the model request': model.from - embedding.to,
    'first token of the model (fake)': model.to - model.from,
    'chat: from the model to the client': first - model.to,
  };
}

/** Returns the time in which at least one of the requests was open. */
function waited(requests: ProxiedRequest[]): number {
  let [total, until] = [0, 0];
  for (const { from, to } of requests) {
    total += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return total;
}

/** Returns the time of a question without the provider's time. */
function ownShare(times: Times): number {
  const own = Object.entries(times).filter(([name]) => /^(authorizer|chat):/.test(name));
  return own.reduce((sum, [, value]) => sum + value, 0);
}

/** The same without waiting for AWS, because a busy host slows its emulators. */
function ownWork(times: Times): number {
  const waiting = ['of it: waiting for DynamoDB', 'of it: waiting for AWS, together'];
  return waiting.reduce((rest, name) => rest - (times[name] ?? 0), ownShare(times));
}

function table(): string[] {
  const memory = packagedFunctions().filter(({ name }) => name === 'authorizer' || name === 'chat');
  const about = memory.map(({ name, memoryMb }) => `${name} ${memoryMb} MB`).join(', ');
  const names = Object.keys(cold[0] ?? {});
  const row = (name: string, of: (times: Times) => number) => {
    const cells = [cold, warm].flatMap((all) => [0.5, 0.95].map((share) => percentile(all.map(of), share)));
    return `| ${[name, ...cells.map((value) => (Number.isNaN(value) ? '' : String(Math.round(value))))].join(' | ')} |`;
  };
  return [
    `Milliseconds to the first token; ${about}; ${COLD} cold, ${WARM} warm; the provider takes ${EMBEDDING_MS} and ${MODEL_MS}`,
    '| Component | Cold p50 | Cold p95 | Warm p50 | Warm p95 |',
    '|---|---|---|---|---|',
    ...names.map((name) => row(name, (times) => times[name] ?? Number.NaN)),
    row('own share: all but the provider', ownShare),
    row('of it: without waiting for AWS', ownWork),
  ];
}
