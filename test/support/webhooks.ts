import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { undiciWeb } from '../../lib/adapters/web/fetch.ts';
import { setLogLevel } from '../../lib/log.ts';
import type { Secrets } from '../../lib/ports/secrets.ts';
import type { WebhookPost } from '../../lib/ports/web.ts';
import { runMessageSchema } from '../../lib/runs/schema.ts';
import { deliverDue, sweepWebhooks } from '../../lib/webhooks/deliver.ts';
import { createWebhook, listDeliveries } from '../../lib/webhooks/webhooks.ts';
import { ADMIN, MINUTE_MS } from './tasks.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

/** A request that the receiver got. */
export interface Received {
  headers: Record<string, string>;
  body: string;
  /** The time of the rig. */
  at: number;
}

/** Webhooks without a host: real SQLite, a real receiver, a clock that only the test sets, ticks and workers that it calls. */
export async function startWebhookRig() {
  setLogLevel('error');
  const database = openDatabase(await tempFolder());
  whenDone(async () => database.close());
  createQueues(database, [{ name: 'agent', fifo: false, visibilityTimeoutSeconds: 5400 }]);
  const time = { now: Date.parse('2026-03-01T00:00:00Z') };
  const clock = { now: () => time.now };
  const stored = new Map<string, string>();
  const secrets: Secrets = {
    get: async (name) => stored.get(name),
    set: async (name, value) => void (value === null ? stored.delete(name) : stored.set(name, value)),
  };
  const received: Received[] = [];
  const receiver = { answer: ((_, response) => response.end('ok')) as RequestListener };
  const port = await listen(async (request, response) => {
    const pieces = await Array.fromAsync(request);
    const headers = request.headers as Record<string, string>;
    received.push({ headers, body: Buffer.concat(pieces).toString(), at: time.now });
    receiver.answer(request, response);
  });
  const outside = undiciWeb({ isPublic: () => true, resolve: async () => ['127.0.0.1'], ports: [port] });
  const web: WebhookPost = {
    postPublic: (url, request) =>
      outside.postPublic(url, { ...request, timeoutMs: Math.min(request.timeoutMs, 3000), allowHttp: true }),
  };
  const records = sqliteRecords(database, clock);
  const agentQueue = sqliteQueue(database, 'agent', clock);
  const ports = { records, clock, secrets, web, agentQueue };
  const url = `http://receiver.example:${port}/hook`;

  /** The tick of a minute, then the workers that it called. */
  async function tick(): Promise<void> {
    time.now += MINUTE_MS;
    await sweepWebhooks(ports);
    const messages = await agentQueue.receive({ max: 10 });
    for (const { body } of messages)
      await deliverDue(ports, runMessageSchema.parse(JSON.parse(body)).webhookId ?? '');
    await agentQueue.delete(messages.map(({ receipt }) => receipt));
  }

  return {
    ...{ ports, time, received, receiver, stored, url, tick },
    make: (fields = {}) =>
      createWebhook(ports, ADMIN, {
        ...{ name: 'hook', url, events: ['run.finished', 'task.failed'] },
        ...fields,
      }),
    log: (id: string) => listDeliveries(records, ADMIN, id),
  };
}

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
