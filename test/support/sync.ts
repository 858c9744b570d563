import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexState } from '../../lib/indexing/schema.ts';
import type { Service } from './service.ts';

/** Longer than any operation takes, even on a busy host. */
const PATIENCE_MS = 90_000;

/** Creates a workspace in a folder below the first root, and returns its ID. */
export async function createWorkspace(service: Pick<Service, 'call'>, path: string): Promise<string> {
  const { status, body } = await service.call('POST', '/api/workspaces', { path });
  if (status !== 201) throw new Error(`POST /api/workspaces answered ${status}: ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
}

/** Starts or joins a sync, and waits for its end. */
export async function syncWorkspace(
  service: Pick<Service, 'call'>,
  workspaceId: string,
  patienceMs = PATIENCE_MS,
): Promise<IndexState> {
  await service.call('POST', `/api/workspaces/${workspaceId}/sync`);
  return waitForSync(service, workspaceId, patienceMs);
}

export async function waitForSync(
  service: Pick<Service, 'call'>,
  workspaceId: string,
  patienceMs = PATIENCE_MS,
): Promise<IndexState> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const { body } = await service.call('GET', `/api/workspaces/${workspaceId}/sync`);
    const state = body as IndexState;
    if (state.status === 'ready' || state.status === 'failed') return state;
    if (Date.now() > until) throw new Error(`the sync did not end: ${JSON.stringify(state)}`);
    await sleep(5);
  }
}

/** Polls until the response is right, for changes that happen a moment later. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  suits: (value: Value) => boolean,
  patienceMs = PATIENCE_MS,
): Promise<Value> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const value = await ask();
    if (suits(value)) return value;
    if (Date.now() > until) throw new Error(`did not come true: ${JSON.stringify(value)?.slice(0, 500)}`);
    await sleep(25);
  }
}
