import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { ClusterStatus } from '../../lib/cluster/schema.ts';
import { kubeconfigFile, startClusterRig } from '../support/cluster.ts';
import { eventually } from '../support/sync.ts';
import { whenDone } from '../support/temp-folder.ts';
import { asAdmin, changedKubeconfig, kubeconfigOf } from './control-plane.ts';
import { tokenGoodFor } from './expiring-token.ts';
import { startPassingProxy } from './passing-proxy.ts';

type Configured = Extract<ClusterStatus, { configured: true }>;
type Rig = Awaited<ReturnType<typeof startClusterRig>>;

const rig = await startClusterRig(kubeconfigOf('service'));

async function statusOf({ member }: Rig): Promise<Configured> {
  const { status, body } = await member.call<Configured>('GET', '/api/cluster/status');
  expect([status, body.configured]).toEqual([200, true]);
  return body;
}

const NOTHING = { configured: true, nodes: [], jobs: [], pods: [] };

describe('status of a real cluster', () => {
  it('lists the nodes with their GPUs', async () => {
    const { nodes, error } = await statusOf(rig);
    expect(error).toBeUndefined();
    expect(nodes).toEqual(
      ['node-0', 'node-1', 'node-2'].map((name) => ({
        name,
        ready: true,
        roles: 'worker',
        cpu: '32',
        memory: '128Gi',
        gpu: '8',
      })),
    );
  });

  it('lists a job, and its pod while it runs', async () => {
    await submitAsAdmin('lasts-in-status', 1);
    const running = await eventually(
      () => statusOf(rig),
      ({ pods }) => pods.some(({ name, phase }) => name.startsWith('lasts-in-status') && phase === 'Running'),
      30_000,
    );
    expect(running.jobs).toContainEqual({
      name: 'lasts-in-status',
      namespace: 'research',
      active: 1,
      succeeded: 0,
      failed: 0,
    });
    const pod = running.pods.find(({ name }) => name.startsWith('lasts-in-status'));
    expect(pod).toMatchObject({ namespace: 'research', nodeName: expect.stringMatching(/^node-\d$/) });
  });

  it('reports a pod that no node can run as waiting, without a node', async () => {
    await submitAsAdmin('greedy', 64);
    const { pods } = await eventually(
      () => statusOf(rig),
      ({ pods }) => pods.some(({ name }) => name.startsWith('greedy')),
      30_000,
    );
    expect(pods.find(({ name }) => name.startsWith('greedy'))).toMatchObject({
      phase: 'Pending',
      nodeName: '',
    });
  });

  it('omits succeeded jobs', async () => {
    await submitAsAdmin('short', 1);
    const after = await eventually(
      () => statusOf(rig),
      ({ jobs }) => jobs.some(({ name, succeeded }) => name === 'short' && succeeded === 1),
      30_000,
    );
    expect(after.pods.filter(({ name }) => name.startsWith('short'))).toEqual([]);
  });
});

describe('unreachable cluster', () => {
  it('is reported in the status if there is no connection', async () => {
    const server = 'https://127.0.0.1:1';
    const lost = await startClusterRig(await kubeconfigFile(await changedKubeconfig('service', { server })));
    expect(await statusOf(lost)).toEqual({
      ...NOTHING,
      timestamp: expect.any(String),
      error: expect.stringMatching(/Can't reach the cluster/),
    });
    const { error } = await lost.callTool('cluster', { action: 'get', kind: 'pods' });
    expect(error).toMatch(/Can't reach the cluster/);
    expect((await lost.operations()).operations).toMatchObject([
      { tool: 'cluster', verb: 'get', status: 'error', approvedBy: null },
    ]);
  });

  it('is reported for a server with another certificate', async () => {
    const text = (await changedKubeconfig('service', {})).replace(/certificate-authority-data: .*/, '');
    const wrong = await startClusterRig(await kubeconfigFile(text));
    expect(await statusOf(wrong)).toMatchObject({
      ...NOTHING,
      error: expect.stringMatching(/Can't reach the cluster/),
    });
  });

  it('is reported for a slow server only while the server is slow, and keeps its connections', async () => {
    const proxy = await startPassingProxy();
    whenDone(() => proxy.stop());
    const text = await changedKubeconfig('service', { server: proxy.url });
    const slow = await startClusterRig(await kubeconfigFile(text));
    expect((await statusOf(slow)).nodes).toHaveLength(3);
    proxy.hold();
    const job = { name: 'never', namespace: 'research', command: 'true', image: 'busybox' };
    const [status, submitted] = await Promise.all([statusOf(slow), slow.callTool('submitJob', job)]);
    expect(status).toMatchObject({ ...NOTHING, error: expect.stringMatching(/in time/) });
    expect([submitted.approval, submitted.error]).toEqual([undefined, expect.stringMatching(/in time/)]);
    proxy.release();
    expect((await statusOf(slow)).nodes).toHaveLength(3);
    const { connections } = proxy;
    for (let times = 0; times < 10; times++) await statusOf(slow);
    expect(proxy.connections).toBe(connections);
  });

  it('is reported for a token that expires while the service runs, until it is replaced', async () => {
    const path = await kubeconfigFile(await changedKubeconfig('service', {}));
    const expiring = await startClusterRig(path);
    await writeFile(path, await changedKubeconfig('service', { token: await tokenGoodFor(15) }));
    expect((await statusOf(expiring)).nodes).toHaveLength(3);
    const { error } = await eventually(
      () => statusOf(expiring),
      ({ error }) => error !== undefined,
      90_000,
    );
    expect(error).toMatch(/expired/);
    const refused = await expiring.callTool('cluster', {
      action: 'get',
      kind: 'pods',
      namespace: 'research',
    });
    expect(refused.error).toMatch(/expired/);
    expect((await expiring.operations()).operations).toMatchObject([{ status: 'denied', resource: 'pods' }]);
    await writeFile(path, await changedKubeconfig('service', {}));
    expect((await statusOf(expiring)).nodes).toHaveLength(3);
  }, 120_000);
});

/** Submits a job that the service doesn't know. */
async function submitAsAdmin(name: string, gpus: number): Promise<void> {
  const limits = { 'nvidia.com/gpu': String(gpus) };
  const containers = [{ name: 'main', image: 'busybox', resources: { limits } }];
  await asAdmin('POST', '/apis/batch/v1/namespaces/research/jobs', {
    metadata: { name },
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', containers } } },
  });
  whenDone(() =>
    asAdmin('DELETE', `/apis/batch/v1/namespaces/research/jobs/${name}?propagationPolicy=Background`),
  );
}
