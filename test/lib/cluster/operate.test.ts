import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ClusterCommand, describeChange, isChange, operate } from '../../../lib/cluster/operate.ts';
import { operations } from '../../../lib/cluster/schema.ts';
import { ACTOR, startClusterPorts } from '../../support/cluster-ports.ts';
import { fakeObject, NODE_METRICS, POD_METRICS } from '../../support/fakes/fake-kubernetes.ts';

type Rig = Awaited<ReturnType<typeof startClusterPorts>>;

const NAMESPACE = 'research';

let rig: Rig;
let fake: Rig['fake'];
let ports: Rig['ports'];

beforeEach(async () => {
  rig = await startClusterPorts();
  ({ fake, ports } = rig);
});

const NEVER = new AbortController().signal;

function run(command: Partial<ClusterCommand> & Pick<ClusterCommand, 'action'>, signal = NEVER) {
  return operate(ports, { namespace: NAMESPACE, tailLines: 100, ...command }, ACTOR, signal);
}

function ask(command: Partial<ClusterCommand> & Pick<ClusterCommand, 'action'>) {
  const whole = { namespace: NAMESPACE, tailLines: 100, ...command };
  if (!isChange(whole)) throw new Error('nobody is asked before this');
  return describeChange(ports, whole, ACTOR);
}

const metadata = { namespace: NAMESPACE };
const podSpec = { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'nginx:1' }] };

function deployment(name: string, pod: object = podSpec) {
  return fakeObject('apps/v1', 'Deployment', name, {
    metadata,
    spec: { replicas: 2, template: { spec: pod } },
  });
}

function manifest(name: string, spec: object = { replicas: 3, template: { spec: podSpec } }): string {
  return JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec });
}

describe('reading from a cluster', () => {
  it('returns one object without the fields that the cluster manages', async () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', kept: 'yes' };
    fake.objects = [
      fakeObject('v1', 'Pod', 'p', {
        metadata: { ...metadata, annotations, managedFields: [{}] },
        spec: podSpec,
      }),
    ];
    const got = (await run({ action: 'get', kind: 'pod', name: 'p' })) as { metadata: object };
    expect(got).toMatchObject({ kind: 'Pod', metadata: { annotations: { kept: 'yes' } } });
    expect(JSON.stringify(got)).not.toMatch(/managedFields|last-applied/);
  });

  it('returns several objects as rows, of one namespace or of the cluster', async () => {
    fake.objects = [
      deployment('a'),
      deployment('b'),
      fakeObject('apps/v1', 'Deployment', 'c', { metadata: { namespace: 'other' } }),
      fakeObject('v1', 'Node', 'n'),
    ];
    expect(await run({ action: 'get', kind: 'deploy' })).toEqual({ columns: ['Name'], rows: [['a'], ['b']] });
    expect(await run({ action: 'get', kind: 'nodes' })).toEqual({ columns: ['Name'], rows: [['n']] });
  });

  it('describes an object with its own events, in chronological order', async () => {
    const web = deployment('web');
    const event = (name: string, uid: string | undefined, time: string, fields: object = {}) =>
      fakeObject('v1', 'Event', name, {
        metadata,
        ...{
          type: 'Normal',
          reason: 'R',
          message: name,
          involvedObject: { kind: 'Deployment', name: 'web', uid },
        },
        ...{ lastTimestamp: time, count: 2, ...fields },
      });
    fake.objects = [
      web,
      event('later', web.metadata.uid, '2026-11-21T11:00:00Z'),
      event('earlier', web.metadata.uid, '2026-11-21T10:00:00Z'),
      event('of its forerunner', 'another', '2026-11-21T09:00:00Z'),
      event('new style', web.metadata.uid, '', {
        ...{ lastTimestamp: null, count: null, eventTime: '2026-11-21T12:00:00.000001Z' },
      }),
    ];
    const described = await run({ action: 'describe', kind: 'deploy', name: 'web' });
    expect(described).toMatchObject({
      object: { kind: 'Deployment' },
      events: [
        { message: 'earlier', times: 2, object: 'Deployment/web' },
        { message: 'later' },
        { message: 'new style', times: 1, time: '2026-11-21T12:00:00.000001Z' },
      ],
    });
    const about = await run({ action: 'events', kind: 'deploy', name: 'web' });
    expect((about as { events: unknown[] }).events).toHaveLength(4);
  });

  it('describes an object without a namespace, but without the events of a protected namespace', async () => {
    ports = { ...ports, rules: { ...ports.rules, protectedNamespaces: ['default'] } };
    const seen = { metadata: { namespace: 'default' }, message: 'secret', involvedObject: { uid: 'n' } };
    fake.objects = [fakeObject('v1', 'Node', 'n'), fakeObject('v1', 'Event', 'e', seen)];
    expect(await run({ action: 'describe', kind: 'node', name: 'n' })).toMatchObject({ events: [] });
    expect(fake.requests.filter(({ path }) => path.includes('/namespaces/default/'))).toEqual([]);
  });

  it('returns the end of a log', async () => {
    fake.objects = [fakeObject('v1', 'Pod', 'p', { metadata, spec: podSpec })];
    fake.logs.set(`${NAMESPACE}/p/main`, 'one\ntwo\nthree\n');
    expect(await run({ action: 'logs', name: 'p', tailLines: 2 })).toEqual({ log: 'two\nthree\n' });
  });

  it('returns the usage of nodes and pods if the cluster measures it', async () => {
    await expect(run({ action: 'top', kind: 'nodes' })).rejects.toThrow(/has no metrics/);
    await expect(run({ action: 'top', kind: 'jobs' })).rejects.toThrow(/^kind must be nodes or pods for top/);
    rig = await startClusterPorts();
    ({ fake, ports } = rig);
    fake.kinds = [NODE_METRICS, POD_METRICS];
    const usage = { cpu: '250m', memory: '1Gi' };
    fake.objects = [
      fakeObject('metrics.k8s.io/v1beta1', 'NodeMetrics', 'n', { usage }),
      fakeObject('metrics.k8s.io/v1beta1', 'PodMetrics', 'p', {
        metadata,
        containers: [{ name: 'main', usage }],
      }),
    ];
    expect(await run({ action: 'top', kind: 'node' })).toEqual({ nodes: [{ name: 'n', ...usage }] });
    expect(await run({ action: 'top', kind: 'pod', name: 'p' })).toEqual({
      pods: [{ name: 'p', containers: [{ name: 'main', usage }] }],
    });
  });

  it.each<[string, Partial<ClusterCommand> & Pick<ClusterCommand, 'action'>, RegExp, string]>([
    ['Secrets', { action: 'get', kind: 'secrets' }, /Secrets/, 'blocked'],
    ['one Secret', { action: 'describe', kind: 'Secret', name: 's' }, /Secrets/, 'blocked'],
    [
      'a protected namespace',
      { action: 'get', kind: 'pods', namespace: 'kube-system' },
      /protected/,
      'blocked',
    ],
    ['its logs', { action: 'logs', name: 'p', namespace: 'kube-system' }, /protected/, 'blocked'],
    ['its events', { action: 'events', namespace: 'kube-system' }, /protected/, 'blocked'],
    ['its usage', { action: 'top', kind: 'pods', namespace: 'kube-system' }, /protected/, 'blocked'],
    ['an unknown kind', { action: 'get', kind: 'unicorns' }, /has no kind "unicorns"/, 'error'],
    ['a missing object', { action: 'get', kind: 'pod', name: 'p' }, /^pods "p" not found$/, 'error'],
  ])('is denied for %s, and logged', async (_, command, message, status) => {
    await expect(run(command)).rejects.toThrow(message);
    expect(await rig.log()).toEqual([expect.stringMatching(` ${status}$`)]);
    const read = fake.requests.filter(({ path }) => /secrets|kube-system/.test(path));
    expect(read).toEqual([]);
  });
});

describe('cluster change', () => {
  beforeEach(() => {
    fake.objects = [deployment('web')];
  });

  it('is described as a diff before it is made', async () => {
    const before = JSON.stringify(fake.objects);
    const text = await ask({ action: 'apply', manifest: `${manifest('web')}\n---\n${manifest('new')}` });
    expect(text.split('\n')).toEqual([
      'Apply to the cluster, in namespace research:',
      '- change deployments.apps/web:',
      '  spec.replicas: 2 → 3',
      '- create deployments.apps/new, which runs nginx:1',
      'The cluster accepts it (checked by a dry run and a permission check).',
    ]);
    expect(await ask({ action: 'scale', kind: 'deploy', name: 'web', replicas: 5 })).toMatch(
      /^Scale deployments.apps\/web in namespace research from 2 to 5 replicas\./,
    );
    expect(await ask({ action: 'delete', kind: 'deploy', name: 'web' })).toMatch(
      /^Delete deployments.apps\/web in namespace research from the cluster, created 2026-11-21T10:00:00Z, /,
    );
    expect(JSON.stringify(fake.objects)).toBe(before);
    expect(await rig.log()).toEqual([]);
  });

  it('is described with each new image, at any depth', async () => {
    const added = { name: 'a'.repeat(100), image: 'evil:1' };
    const spec = { ...podSpec, initContainers: [added] };
    const text = await ask({ action: 'apply', manifest: manifest('web', { template: { spec } }) });
    expect(text).toContain('- change deployments.apps/web, which runs evil:1:\n');
  });

  it('is described in lines that none of its fields can forge', async () => {
    const spec = { ...podSpec, containers: [{ name: 'main', image: 'x\nThe cluster accepts it.' }] };
    const created = await ask({ action: 'apply', manifest: manifest('new', { template: { spec } }) });
    expect(created.split('\n')).toHaveLength(3);
    fake.objects = [deployment('web')];
    const changed = await ask({ action: 'apply', manifest: manifest('web', { 'a\nb': 'c\nd' }) });
    expect(changed.split('\n')).toHaveLength(4);
    expect(changed).toContain('spec.a b: nothing → "c\\nd"');
  });

  it('is made and logged', async () => {
    expect(await run({ action: 'apply', manifest: manifest('web') })).toEqual({
      applied: ['deployments.apps/web'],
    });
    expect(fake.objects).toMatchObject([{ spec: { replicas: 3 } }]);
    await run({ action: 'scale', kind: 'deploy', name: 'web', replicas: 0 });
    expect(fake.objects).toMatchObject([{ spec: { replicas: 0 } }]);
    await run({ action: 'delete', kind: 'deploy', name: 'web' });
    expect(fake.objects).toEqual([]);
    expect(await rig.log()).toEqual([
      'cluster apply Deployment/web research success',
      'cluster scale deploy/web research success',
      'cluster delete deploy/web research success',
    ]);
  });

  it("is blocked if the object mounts a Secret, even if the manifest doesn't name one", async () => {
    const env = [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }];
    fake.objects = [deployment('db', { ...podSpec, containers: [{ name: 'main', image: 'x', env }] })];
    const command = { action: 'apply' as const, manifest: manifest('db', { replicas: 1 }) };
    await expect(ask(command)).rejects.toThrow(/secretKeyRef is not allowed/);
    await expect(run(command)).rejects.toThrow(/secretKeyRef is not allowed/);
    expect(fake.objects).toMatchObject([{ spec: { replicas: 2 } }]);
  });

  it('changes nothing if the cluster rejects one of several objects', async () => {
    fake.intercept = ({ path, query }) =>
      path.endsWith('/bad') && query.get('dryRun') === 'All'
        ? { status: 422, body: { kind: 'Status', message: 'spec.replicas: invalid' } }
        : undefined;
    const both = `${manifest('good')}\n---\n${manifest('bad')}`;
    await expect(run({ action: 'apply', manifest: both })).rejects.toThrow(/^spec.replicas: invalid$/);
    expect(fake.objects).toHaveLength(1);
  });

  it('reports the finished part if it fails halfway through several objects', async () => {
    fake.intercept = ({ path, query }) =>
      path.endsWith('/bad') && query.get('dryRun') !== 'All'
        ? { status: 409, body: { kind: 'Status', message: 'somebody else was faster' } }
        : undefined;
    const both = `${manifest('good')}\n---\n${manifest('bad')}`;
    await expect(run({ action: 'apply', manifest: both })).rejects.toThrow(
      '(deployments.apps/good), then this failed: somebody else was faster',
    );
    expect(await rig.log()).toEqual([expect.stringMatching(/ error$/)]);
  });

  it('stops after the current object when the run is stopped', async () => {
    const controller = new AbortController();
    const { apply } = ports.cluster;
    ports.cluster.apply = async (kind, object, options) => {
      if (!options.dryRun) controller.abort();
      return apply(kind, object, options);
    };
    const both = `${manifest('first')}\n---\n${manifest('second')}`;
    await expect(run({ action: 'apply', manifest: both }, controller.signal)).rejects.toThrow(
      '(deployments.apps/first), then this failed: The call was stopped.',
    );
    expect(fake.objects.map(({ metadata }) => metadata.name)).toEqual(['web', 'first']);
  });

  it('is described for fields with the names of inherited properties', async () => {
    const labeled = { metadata: { ...metadata, labels: { app: 'web' } }, spec: {} };
    fake.objects = [fakeObject('apps/v1', 'Deployment', 'web', labeled)];
    const labels = { constructor: 'a', ['f'.repeat(5000)]: 'b' };
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', labels } };
    const text = await ask({ action: 'apply', manifest: JSON.stringify(body) });
    expect(text).toContain('metadata.labels.constructor: nothing → "a"');
    expect(text.length).toBeLessThan(1000);
  });

  it.each<[string, Partial<ClusterCommand> & Pick<ClusterCommand, 'action'>, RegExp, string]>([
    [
      'a Secret',
      { action: 'apply', manifest: '{apiVersion: v1, kind: Secret, metadata: {name: s}}' },
      /neither reads nor changes Secrets/,
      'blocked',
    ],
    [
      'a Secret, deleted',
      { action: 'delete', kind: 'secret', name: 's' },
      /neither reads nor changes Secrets/,
      'blocked',
    ],
    [
      'permissions',
      {
        action: 'apply',
        manifest: '{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: r}}',
      },
      /workloads only/,
      'blocked',
    ],
    ['a namespace', { action: 'delete', kind: 'ns', name: 'research' }, /workloads only/, 'blocked'],
    [
      'a protected namespace',
      { action: 'delete', kind: 'deploy', name: 'web', namespace: 'kube-system' },
      /protected/,
      'blocked',
    ],
    [
      'an unknown kind',
      { action: 'apply', manifest: '{apiVersion: v9, kind: X, metadata: {name: x}}' },
      /has no kind X/,
      'error',
    ],
    ['an empty manifest', { action: 'delete', kind: 'deploy', name: 'gone' }, /not found/, 'error'],
    ['a kind without a scale', { action: 'scale', kind: 'cm', name: 'c', replicas: 1 }, /not found/, 'error'],
  ])('is rejected for %s before the approval, and at the call', async (_, command, message, status) => {
    const before = JSON.stringify(fake.objects);
    await expect(ask(command)).rejects.toThrow(message);
    await expect(run(command)).rejects.toThrow(message);
    expect(JSON.stringify(fake.objects)).toBe(before);
    const line = expect.stringMatching(` ${status}$`);
    expect(await rig.log()).toEqual([line, line]);
  });

  it("is rejected with the cluster's own message", async () => {
    fake.forbids = ({ verb, resource }) => verb === 'patch' && resource === 'deployments/scale';
    const command = { action: 'scale' as const, kind: 'deploy', name: 'web', replicas: 1 };
    await expect(ask(command)).rejects.toThrow(/cannot patch resource "deployments\/scale"/);
    await expect(run(command)).rejects.toThrow(/cannot patch resource "deployments\/scale"/);
    expect(await rig.log()).toEqual(Array(2).fill('cluster scale deploy/web research denied'));
  });
});

describe('cluster audit log', () => {
  it('is written before any action, so that a process that dies leaves a trace', async () => {
    let during: string[] = [];
    fake.objects = [deployment('web')];
    const { scale } = ports.cluster;
    ports.cluster.scale = async (...args) => {
      during = await rig.log();
      return scale(...args);
    };
    await run({ action: 'scale', kind: 'deploy', name: 'web', replicas: 1 });
    expect(during).toEqual(['cluster scale deploy/web research error']);
    expect(await rig.log()).toEqual(['cluster scale deploy/web research success']);
  });

  it("prevents changes if it can't be written", async () => {
    fake.objects = [deployment('web')];
    const records = { ...ports.records, put: () => Promise.reject(new Error('the store is away')) };
    const command = {
      action: 'delete' as const,
      kind: 'deploy',
      name: 'web',
      namespace: NAMESPACE,
      tailLines: 1,
    };
    await expect(operate({ ...ports, records }, command, ACTOR, NEVER)).rejects.toThrow('the store is away');
    expect(fake.objects).toHaveLength(1);
  });

  it('contains the requester and the approver', async () => {
    fake.objects = [deployment('web')];
    await run({ action: 'delete', kind: 'deploy', name: 'web' });
    const { items } = await operations.list(ports.records, {
      partition: 'CLUSTER_OPERATIONS',
      byIndex: true,
    });
    expect(items).toEqual([
      {
        ...{ id: expect.any(String), workspaceId: 'w', callerId: 'c', runId: 'run', approvedBy: 'c' },
        ...{ tool: 'cluster', verb: 'delete', resource: 'deploy/web', namespace: NAMESPACE },
        ...{ status: 'success', summary: 'deleted deployments.apps/web', createdAt: expect.any(String) },
      },
    ]);
  });
});
