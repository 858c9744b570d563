import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ClusterStatus } from '../../../lib/cluster/schema.ts';
import { kubeconfigFile } from '../../support/cluster.ts';
import {
  failure,
  fakeObject,
  startFakeKubernetes,
  VOLCANO_JOB,
} from '../../support/fakes/fake-kubernetes.ts';
import { type Service, startService } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';

type Configured = Extract<ClusterStatus, { configured: true }>;

const SECRET = 'token-0123456789-SECRET';
const fake = await startFakeKubernetes();
whenDone(() => fake.stop());
const kubeconfig = await kubeconfigFile(fake.kubeconfig(SECRET));
const [service, none] = await Promise.all([startService({ KUBECONFIG_PATH: kubeconfig }), startService()]);

async function read(from: Service = service): Promise<Configured> {
  const { status, body } = await from.call<Configured>('GET', '/api/cluster/status');
  expect(status).toBe(200);
  return body;
}

function node(
  name: string,
  labels: Record<string, string>,
  resources: Record<string, string>,
  ready = 'True',
) {
  const status = {
    capacity: { ...resources, cpu: '64' },
    allocatable: resources,
    conditions: [
      { type: 'MemoryPressure', status: 'False' },
      { type: 'Ready', status: ready },
    ],
  };
  return fakeObject('v1', 'Node', name, { metadata: { labels }, status });
}

function pod(name: string, phase: string, fields: Record<string, unknown> = {}, namespace = 'research') {
  return fakeObject('v1', 'Pod', name, { metadata: { namespace }, spec: fields, status: { phase } });
}

function job(name: string, status: Record<string, unknown>, metadata: Record<string, unknown> = {}) {
  return fakeObject('batch/v1', 'Job', name, { metadata: { namespace: 'research', ...metadata }, status });
}

beforeEach(async () => {
  await writeFile(kubeconfig, fake.kubeconfig(SECRET));
  Object.assign(fake, {
    objects: [],
    requests: [],
    kinds: [],
    tokens: new Set([SECRET]),
    forbids: () => false,
    intercept: () => undefined,
  });
});

interface FakeKubeconfig {
  users: { name: string; user: Record<string, unknown> }[];
  clusters: { name: string; cluster: { server: string } }[];
  'current-context': string;
}

const EMPTY = { configured: true, nodes: [], jobs: [], pods: [], timestamp: expect.any(String) };

describe('GET /api/cluster/status', () => {
  it('reports an empty cluster without an error', async () => {
    expect(await read()).toEqual({
      ...EMPTY,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
    });
  });

  it("reports the allocatable resources of nodes, with their GPUs' resource name", async () => {
    const roles = { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/gpu': '', other: 'x' };
    fake.objects = [
      node('a', roles, { cpu: '63500m', memory: '257Gi', 'nvidia.com/gpu': '8' }),
      node('b', {}, { cpu: '8', memory: '1024Ki', 'amd.com/gpu': '4' }, 'Unknown'),
      node('c', { 'node-role.kubernetes.io/control-plane': '' }, { cpu: '4', memory: '8Gi' }, 'False'),
    ];
    const { nodes } = await read();
    expect(nodes.map(({ roles, ...node }) => ({ ...node, roles: roles.split(',').sort() }))).toEqual([
      { name: 'a', ready: true, roles: ['gpu', 'worker'], cpu: '63500m', memory: '257Gi', gpu: '8' },
      { name: 'b', ready: false, roles: ['<none>'], cpu: '8', memory: '1024Ki', gpu: '4' },
      { name: 'c', ready: false, roles: ['control-plane'], cpu: '4', memory: '8Gi', gpu: '0' },
    ]);
  });

  it('counts the pods of jobs, even if the cluster omits a zero', async () => {
    fake.objects = [job('done', { succeeded: 1 }), job('going', { active: 2, failed: 1 }), job('new', {})];
    const place = { namespace: 'research' };
    const { jobs } = await read();
    expect(jobs).toHaveLength(3);
    expect(jobs).toEqual(
      expect.arrayContaining([
        { name: 'done', ...place, active: 0, succeeded: 1, failed: 0 },
        { name: 'going', ...place, active: 2, succeeded: 0, failed: 1 },
        { name: 'new', ...place, active: 0, succeeded: 0, failed: 0 },
      ]),
    );
  });

  it('lists Volcano jobs together with the others', async () => {
    fake.kinds = [VOLCANO_JOB];
    const started = await startService({ KUBECONFIG_PATH: kubeconfig }); // the resource kinds are cached
    fake.objects = [
      job('plain', { active: 1 }),
      fakeObject('batch.volcano.sh/v1alpha1', 'Job', 'many', {
        metadata: { namespace: 'research' },
        status: { state: { phase: 'Running' }, running: 3, pending: 1, succeeded: 2, failed: 1 },
      }),
    ];
    const { jobs } = await read(started);
    expect(jobs.map(({ name }) => name).sort()).toEqual(['many', 'plain']);
    expect(jobs.find(({ name }) => name === 'many')).toMatchObject({ succeeded: 2, failed: 1 });
    await started.stop();
  });

  it('lists pods, except succeeded ones', async () => {
    fake.objects = [
      pod('runs', 'Running', {
        nodeName: 'a',
        containers: [
          { name: 'main', resources: { limits: { 'nvidia.com/gpu': '2', cpu: '1' } } },
          { name: 'beside', resources: null },
        ],
      }),
      pod('waits', 'Pending'),
      pod('fell', 'Failed', { nodeName: 'a' }),
      pod('ended', 'Succeeded', { nodeName: 'a' }),
    ];
    expect((await read()).pods).toEqual(
      expect.arrayContaining([
        { name: 'runs', namespace: 'research', phase: 'Running', nodeName: 'a', gpu: '2' },
        { name: 'waits', namespace: 'research', phase: 'Pending', nodeName: '', gpu: '0' },
        { name: 'fell', namespace: 'research', phase: 'Failed', nodeName: 'a', gpu: '0' },
      ]),
    );
    expect((await read()).pods).toHaveLength(3);
  });

  it('omits protected namespaces', async () => {
    fake.objects = [
      pod('dns', 'Running', {}, 'kube-system'),
      pod('mine', 'Running'),
      job('backup', { active: 1 }, { namespace: 'kube-system' }),
    ];
    expect(await read()).toMatchObject({ jobs: [], pods: [{ name: 'mine' }] });
  });

  it('lists at most the 100 latest jobs and 200 pods', async () => {
    const at = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();
    fake.objects = [
      ...Array.from({ length: 130 }, (_, number) =>
        job(`job-${number}`, {}, { creationTimestamp: at(number) }),
      ),
      ...Array.from({ length: 250 }, (_, number) => pod(`pod-${number}`, 'Running')),
    ];
    const { jobs, pods, error } = await read();
    expect([jobs.length, pods.length, error]).toEqual([100, 200, undefined]);
    expect(jobs.map(({ name }) => name)).toContain('job-129');
    expect(jobs.map(({ name }) => name)).not.toContain('job-0');
  });

  it("lists the allowed resources, and the API server's message for forbidden ones", async () => {
    fake.objects = [pod('mine', 'Running'), node('a', {}, { cpu: '4', memory: '8Gi' })];
    fake.forbids = ({ resource }) => resource === 'nodes';
    expect(await read()).toEqual({
      ...EMPTY,
      pods: [expect.objectContaining({ name: 'mine' })],
      error: expect.stringMatching(/cannot list resource "nodes" in API group "" at the cluster scope/),
    });
  });

  it.each<[string, Parameters<typeof failure> | { status: number; body: unknown }, RegExp]>([
    ['a failure', [500, 'InternalError', 'etcd is lost'], /etcd is lost/],
    ['too many calls', [429, 'TooManyRequests', 'please try again later'], /try again later/],
    ['an HTML page', { status: 200, body: '<html>' }, /JSON/],
    ['another format', { status: 200, body: { items: 7 } }, /cluster/],
    ["a proxy's error", { status: 502, body: '<h1>Bad</h1>' }, /502/],
  ])('returns 200 with the problem: %s', async (_what, given, words) => {
    fake.intercept = () => (Array.isArray(given) ? failure(...given) : given);
    expect(await read()).toEqual({ ...EMPTY, error: expect.stringMatching(words) });
  });

  it('returns 200 with an invalid credential, and recovers with a valid one', async () => {
    fake.tokens.clear();
    const answer = await read();
    expect(answer).toEqual({ ...EMPTY, error: expect.stringMatching(/wrong or has expired/) });
    expect(JSON.stringify(answer) + service.output()).not.toContain('SECRET');
    fake.tokens.add(SECRET);
    expect(await read()).toEqual(EMPTY);
  });

  it('reuses its connections', async () => {
    await read();
    const { connections } = fake;
    for (let times = 0; times < 10; times++) await read();
    expect(fake.connections).toBe(connections);
  });
});

describe('kubeconfig', () => {
  const changed = (change: (config: FakeKubeconfig) => void) => {
    const config = JSON.parse(fake.kubeconfig(SECRET)) as FakeKubeconfig;
    change(config);
    return JSON.stringify(config);
  };
  const withUser = (user: Record<string, unknown>) =>
    changed((config) => {
      config.users = config.users.map((one) => ({ ...one, user }));
    });
  const withServer = (server: string) =>
    changed((config) => {
      config.clusters = config.clusters.map(({ name }) => ({ name, cluster: { server } }));
    });
  const withoutContext = () =>
    changed((config) => {
      config['current-context'] = 'other';
    });

  it.each<[string, string, RegExp]>([
    ['runs a program', withUser({ exec: { command: 'aws', args: ['eks', 'get-token'] } }), /exec/],
    ['uses a cloud provider', withUser({ 'auth-provider': { name: 'gcp' } }), /auth-provider/],
    [
      'references a missing file',
      withUser({ 'client-certificate': 'gone.crt', 'client-key': 'gone.key' }),
      /file/,
    ],
    ['lacks its context', withoutContext(), /context/],
    ['is not valid YAML', `a: [${SECRET}`, /YAML/],
    ['is something else', '{"kind":"Pod"}', /kubeconfig/],
    ['leads nowhere', withServer('https://127.0.0.1:1'), /^Can't reach the cluster/],
  ])('is reported in the status if it %s', async (_what, text, words) => {
    await writeFile(kubeconfig, text);
    const answer = await read();
    expect(answer).toEqual({ ...EMPTY, error: expect.stringMatching(words) });
    expect(JSON.stringify(answer) + service.output()).not.toContain('SECRET');
  });

  it('is read again for each request', async () => {
    await writeFile(kubeconfig, withServer('https://127.0.0.1:1'));
    expect((await read()).error).toBeDefined();
    await writeFile(kubeconfig, fake.kubeconfig(SECRET));
    expect(await read()).toEqual(EMPTY);
    await rm(kubeconfig);
    expect(await read()).toEqual({ ...EMPTY, error: expect.stringMatching(/KUBECONFIG_PATH/) });
  });

  it('is reported as missing, or read from the secret store', async () => {
    expect(await read(none)).toEqual({ configured: false });
    await none.stop();
    const { dataDir } = none;
    const secrets = join(dataDir, 'secrets.json');
    await writeFile(secrets, JSON.stringify({ KUBECONFIG: fake.kubeconfig(SECRET) }));
    const second = await startService({ DATA_DIR: dataDir });
    expect(await read(second)).toEqual(EMPTY);
    expect((await second.call('GET', '/api/settings')).body).toMatchObject({ cluster: { configured: true } });
    await second.stop();
  });
});
