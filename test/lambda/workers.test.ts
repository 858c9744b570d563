import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { LEASE_MS } from '../../lib/runs/lease.ts';
import { apiEvent } from '../package/api-event.ts';
import { putProviderKey } from '../package/deployment.ts';
import { drainQueues, invokeWorker, receiveBatch } from '../package/queue-pump.ts';
import { finishSync, indexedPaths, makeWorkspace, startSync } from './indexed-workspace.ts';
import { deployTruer, type TruerDeployment } from './truer-deployment.ts';

const FILES = 12;
const TIMEOUT_MS = 5000;
/** Shared libraries that other processes have loaded don't count, so a worker needs little memory. */
const TOO_LITTLE_MB = 24;
const MAX_TRIES = 10;
/** Longer than a worker waits for the lease of a dead one. */
const PATIENT_MS = 150_000;
const SLACK_MS = 3000;
const NEVER = new Promise<never>(() => {});

let deployment: TruerDeployment;
beforeAll(async () => {
  await putProviderKey();
  deployment = await deployTruer();
}, 180_000);

const expected = Array.from({ length: FILES }, (_, file) => `bridge-${file}.md`).sort();

type Batch = Awaited<ReturnType<typeof syncUntil>>;

/** Processes a sync of a new workspace until its queue has a message for this worker. */
async function syncUntil(name: string, queueId: string) {
  const workspaceId = await makeWorkspace(deployment, name, FILES);
  await startSync(deployment, workspaceId);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    for (const next of new Set([queueId, 'IndexQueue', 'CommitQueue'])) {
      const batch = await receiveBatch(deployment, next);
      if (next === queueId && batch.records.some(isWork)) return { workspaceId, ...batch };
      if (batch.records.length === 0) continue;
      await invokeWorker(deployment, batch.functionName, batch.records);
      await batch.remove();
    }
  }
  throw new Error(`${queueId} got no message with files`);
}

/** Returns whether a message contains files or their passages. */
const isWork = ({ body }: SQSRecord) => /"kind":"(files|results)"/.test(body);

/**
 * Delivers the same messages again, to another environment, as SQS redelivers messages that weren't deleted.
 */
async function deliverAgain({ functionName, records, remove }: Batch): Promise<void> {
  const again = records.map((record) => ({
    ...record,
    attributes: { ...record.attributes, ApproximateReceiveCount: '2' },
  }));
  const next = await deployment.release(functionName);
  const answer = await next.invoke({ Records: again }, { timeoutMs: PATIENT_MS });
  expect(answer.payload).toEqual({ batchItemFailures: [] });
  await next.stop();
  await remove();
}

async function expectAllOnce(workspaceId: string): Promise<void> {
  const state = await finishSync(deployment, workspaceId);
  expect(state).toMatchObject({ status: 'ready', newCount: FILES, failedCount: 0, errors: [] });
  expect(await indexedPaths(deployment, workspaceId)).toEqual(expected);
}

describe('index worker', () => {
  it('loses nothing if it is killed at its timeout, because the next environment reads the files', async () => {
    const batch = await syncUntil('timeout', 'IndexQueue');
    deployment.provider.beforeVectors = () => NEVER;
    const killed = invokeWorker(deployment, batch.functionName, batch.records, { timeoutMs: TIMEOUT_MS });
    await expect(killed).rejects.toThrow('timed out');
    deployment.provider.beforeVectors = undefined;
    await deliverAgain(batch);
    await expectAllOnce(batch.workspaceId);
  });

  it('loses nothing if it is killed for its memory', async () => {
    const batch = await syncUntil('memory', 'IndexQueue');
    await deployment.renew(batch.functionName);
    deployment.memoryMb.set(batch.functionName, TOO_LITTLE_MB);
    const killed = invokeWorker(deployment, batch.functionName, batch.records);
    await expect(killed.finally(() => deployment.memoryMb.clear())).rejects.toThrow('out of memory');
    await deployment.renew(batch.functionName).catch(() => undefined); // it may not even have started
    await deliverAgain(batch);
    await expectAllOnce(batch.workspaceId);
  });
});

// Run concurrently, because each waits until the first worker's lease expires.
it('commit workers and agents that die or stall past their lease lose and duplicate nothing', async () => {
  const run = await startRunAndKill();
  const killed = await stopCommit('killed', 2);
  await killed.instance.stop();
  expect(String(await killed.outcome)).toContain('SIGKILL');
  const paused = [await stopCommit('paused-early', 1), await stopCommit('paused-late', 4)];
  await Promise.all([killed, ...paused].map(deliverAgain));
  for (const { instance, release, outcome } of paused) {
    instance.thaw();
    release();
    await outcome;
    await instance.stop();
  }
  for (const { workspaceId } of [killed, ...paused]) await expectAllOnce(workspaceId);
  await expectReported(run);
}, 280_000);

/** Starts a commit that stalls at a request, and freezes its environment. */
async function stopCommit(name: string, request: number) {
  const batch = await syncUntil(name, 'CommitQueue');
  const instance = await deployment.release(batch.functionName);
  const { reached, release } = stopAt(request);
  const invoking = instance.invoke({ Records: batch.records }, { timeoutMs: PATIENT_MS });
  const outcome = invoking.catch((error: unknown) => error);
  await reached;
  await instance.freeze();
  return { ...batch, instance, release, outcome };
}

/**
 * Holds the request with this number after the first write to the records, which is the lease of the tables.
 */
function stopAt(number: number) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = -1;
  deployment.proxies.dynamodb.before = async ({ headers }: IncomingMessage) => {
    if (count < 0 && !/PutItem/.test(String(headers['x-amz-target']))) return;
    count += 1;
    if (count !== number) return;
    deployment.proxies.dynamodb.before = undefined;
    reached.resolve();
    await released.promise;
  };
  return { reached: reached.promise, release: () => released.resolve() };
}

/** Starts a run, and kills its environment during a model call. */
async function startRunAndKill() {
  const workspaceId = await makeWorkspace(deployment, 'agent', 1);
  const { provider } = deployment;
  const thinking = Promise.withResolvers<void>();
  provider.answer = () => 'The bridge is 0 metres long.';
  provider.beforePiece = () => {
    thinking.resolve();
    return NEVER;
  };
  const body = { workspaceId, cwd: '', messages: [{ role: 'user', content: 'How long is it?' }] };
  const event = apiEvent({ method: 'POST', resource: '/api/agent', body });
  const agent = await deployment.instance('agent');
  const outcome = agent.invoke(event).catch((error: unknown) => error);
  const early = outcome.then((answer) => {
    throw new Error(`the run ended before its model was asked: ${JSON.stringify(answer)}`);
  });
  await Promise.race([thinking.promise, early]);
  early.catch(() => undefined);
  await deployment.renew('agent');
  await outcome;
  provider.beforePiece = undefined;
  return { workspaceId, dead: Date.now() };
}

/** The model call may have happened, so the run reports its death and isn't repeated. */
async function expectReported({ workspaceId, dead }: { workspaceId: string; dead: number }): Promise<void> {
  const { provider } = deployment;
  await sleep(Math.max(0, dead + LEASE_MS + SLACK_MS - Date.now()));
  await (await deployment.instance('scheduler')).invoke({});
  await drainQueues(deployment, ['AgentQueue']);
  const request = { method: 'GET', resource: '/api/agent/runs', query: { workspaceId } };
  const { text } = await deployment.stream('agent', request);
  const runs: unknown = JSON.parse(text);
  expect(runs).toMatchObject([{ status: 'failed', error: expect.stringContaining('Start the run again') }]);
  expect(provider.chatRequests).toBe(1);
}
