import { describe, expect, it } from '@jest/globals';
import { startClusterRig } from '../support/cluster.ts';
import { eventually } from '../support/sync.ts';
import { asAdmin, kubeconfigOf } from './control-plane.ts';

const rig = await startClusterRig(kubeconfigOf('service'));
/** A credential with all permissions. */
const adminRig = await startClusterRig(kubeconfigOf('admin'));
const { callTool } = rig;
const NAMESPACE = { namespace: 'research' };
const DEPLOYMENTS = '/apis/apps/v1/namespaces/research/deployments';
const MANIFEST = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      automountServiceAccountToken: false
      containers:
        - { name: web, image: 'nginx:1' }
`;

interface Deployment {
  spec: { replicas: number };
  status: { readyReplicas?: number };
}

function deployment(): Promise<Deployment> {
  return asAdmin<Deployment>('GET', `${DEPLOYMENTS}/web`);
}

describe('changes to a real cluster', () => {
  it('apply a manifest only after a person has approved it', async () => {
    const { error } = await callTool(
      'cluster',
      { action: 'apply', manifest: MANIFEST, ...NAMESPACE },
      {
        meanwhile: async ({ summary }) => {
          expect(summary).toMatch(/deployment.*web/is);
          await expect(deployment()).rejects.toThrow(/404/);
        },
      },
    );
    expect(error).toBeUndefined();
    await eventually(deployment, ({ status }) => status.readyReplicas === 1, 30_000);
  });

  it('scale a deployment', async () => {
    const { approval, error } = await callTool('cluster', {
      ...{ action: 'scale', kind: 'deployment', name: 'web', replicas: 3 },
      ...NAMESPACE,
    });
    expect(error).toBeUndefined();
    expect(approval?.summary).toMatch(/web.*3 replicas/s);
    await eventually(
      deployment,
      ({ spec, status }) => spec.replicas === 3 && status.readyReplicas === 3,
      30_000,
    );
  });

  it('can be inspected: get, describe, logs, events', async () => {
    const shown = async (input: Record<string, unknown>) =>
      JSON.stringify((await callTool('cluster', { ...NAMESPACE, ...input })).output);
    const pods = await shown({ action: 'get', kind: 'po', selector: 'app=web' });
    const names = [...new Set(pods.match(/web-[a-z0-9]+-[a-z0-9]+/g))];
    expect(names).toHaveLength(3);
    const [name] = names;
    expect(await shown({ action: 'describe', kind: 'deploy', name: 'web' })).toContain('nginx:1');
    expect(await shown({ action: 'logs', name })).toContain('epoch 1 loss 0.52');
    expect(await shown({ action: 'logs', name, tailLines: 1 })).not.toContain('epoch 1');
    expect(await shown({ action: 'events' })).toMatch(/Scaled up|ScalingReplicaSet/);
    // Like many clusters, this one has no metrics server.
    const top = await callTool('cluster', { action: 'top', kind: 'nodes' });
    expect(top.error).toMatch(/metrics/);
  });

  it('delete an object with its dependents', async () => {
    const { error } = await callTool('cluster', {
      action: 'delete',
      kind: 'deployment',
      name: 'web',
      ...NAMESPACE,
    });
    expect(error).toBeUndefined();
    await eventually(
      () => asAdmin<{ items: unknown[] }>('GET', '/api/v1/namespaces/research/pods?labelSelector=app%3Dweb'),
      ({ items }) => items.length === 0,
      30_000,
    );
  });

  it('are in the audit log, newest first, with the person who approved each', async () => {
    const { operations, total } = await rig.operations('&limit=200');
    expect(total).toBe(operations.length);
    const changes = operations.filter(({ approvedBy }) => approvedBy !== null);
    expect(changes.map(({ verb, status, approvedBy }) => [verb, status, approvedBy])).toEqual([
      ['delete', 'success', rig.member.id],
      ['scale', 'success', rig.member.id],
      ['apply', 'success', rig.member.id],
    ]);
    expect(operations.filter(({ approvedBy }) => approvedBy === null).map(({ verb }) => verb)).toEqual([
      'top',
      'events',
      'logs',
      'logs',
      'describe',
      'get',
    ]);
  });

  it.each([
    ['an unknown kind', { action: 'get', kind: 'gadget' }, /gadget/],
    [
      'a misspelled field',
      { action: 'apply', manifest: MANIFEST.replace('replicas', 'replicaz') },
      /replicaz/,
    ],
    ['an impossible value', { action: 'apply', manifest: MANIFEST.replace('nginx:1', '') }, /image/],
    ['a missing object', { action: 'scale', kind: 'deploy', name: 'gone', replicas: 1 }, /"gone" not found/],
    [
      "an object that can't be scaled",
      { action: 'scale', kind: 'pod', name: 'gone', replicas: 1 },
      /scale|resource|found/,
    ],
    ['an invalid selector', { action: 'get', kind: 'pods', selector: '((' }, /found '\(', expected/],
  ])('are rejected with a reason: %s', async (_what, input, words) => {
    expect((await callTool('cluster', { ...NAMESPACE, ...input })).error).toMatch(words);
  });

  it.each([
    ['Secrets', { action: 'get', kind: 'secrets', ...NAMESPACE }],
    ['a Secret by another name of the kind', { action: 'describe', kind: 'Secret', name: 'x', ...NAMESPACE }],
    ['system pods', { action: 'get', kind: 'pods', namespace: 'kube-system' }],
    [
      'a deletion in a system namespace',
      { action: 'delete', kind: 'pod', name: 'x', namespace: 'kube-system' },
    ],
    ['a system namespace', { action: 'delete', kind: 'namespace', name: 'kube-system' }],
    [
      'a manifest for a system namespace',
      {
        action: 'apply',
        manifest: MANIFEST,
        namespace: 'kube-system',
      },
    ],
    [
      'a pod that reads a Secret',
      {
        action: 'apply',
        manifest: MANIFEST.replace("'nginx:1' }", "'nginx:1', envFrom: [{ secretRef: { name: x } }] }"),
        ...NAMESPACE,
      },
    ],
    [
      "a pod with the host's files",
      {
        action: 'apply',
        manifest: `${MANIFEST}      volumes: [{ name: v, hostPath: { path: / } }]\n`,
        ...NAMESPACE,
      },
    ],
  ])('never touch or read, even if the cluster allows it: %s', async (_what, input) => {
    const { error, approval } = await adminRig.callTool('cluster', input);
    expect(error).toEqual(expect.any(String));
    expect(approval).toBeUndefined();
    expect((await adminRig.operations()).operations[0]).toMatchObject({
      status: 'blocked',
      approvedBy: null,
    });
  });
});
