import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { kubernetesCluster } from '../../../lib/adapters/kubernetes/cluster.ts';
import { readConfig } from '../../../lib/config.ts';
import {
  Conflict,
  Forbidden,
  InvalidInput,
  NotConfigured,
  NotFound,
  TooLarge,
  UpstreamFailed,
} from '../../../lib/errors.ts';
import type { Cluster, ClusterKind } from '../../../lib/ports/cluster.ts';
import type { Secrets } from '../../../lib/ports/secrets.ts';
import { openCluster } from '../../../lib/wiring/cluster.ts';
import {
  type FakeKubernetes,
  failure,
  fakeObject,
  startFakeKubernetes,
  VOLCANO_JOB,
} from '../../support/fakes/fake-kubernetes.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const PODS: ClusterKind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const NODES: ClusterKind = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const DEPLOYMENTS: ClusterKind = {
  ...{ group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
};
const PLACE = { namespace: 'research', name: 'p' };

let fake: FakeKubernetes;
let cluster: Cluster;

beforeEach(async () => {
  const started = await startFakeKubernetes();
  whenDone(() => started.stop());
  fake = started;
  cluster = kubernetesCluster({ kubeconfig: { text: fake.kubeconfig() } });
});

function pod(name: string, fields: Record<string, unknown> = {}) {
  return fakeObject('v1', 'Pod', name, { metadata: { namespace: 'research' }, ...fields });
}

describe('resource kinds', () => {
  it.each([
    ['pod', PODS],
    ['po', PODS],
    ['Pods', PODS],
    ['deploy', DEPLOYMENTS],
    ['deployments.apps', DEPLOYMENTS],
    ['deployments.v1.apps', DEPLOYMENTS],
    ['no', NODES],
  ])('include %s', async (word, kind) => {
    expect(await cluster.findKind(word)).toEqual(kind);
  });

  it('are resolved from a manifest', async () => {
    expect(await cluster.findManifestKind('apps/v1', 'Deployment')).toEqual(DEPLOYMENTS);
    expect(await cluster.findManifestKind('apps/v2', 'Deployment')).toBeUndefined();
    expect(await cluster.findManifestKind('v1', 'Deployment')).toBeUndefined();
  });

  it("are Kubernetes's own kinds if other kinds have the same name", async () => {
    fake.kinds = [VOLCANO_JOB, { ...VOLCANO_JOB, group: 'aaa.example', plural: 'pods', kind: 'Pod' }];
    expect(await cluster.findKind('jobs')).toMatchObject({ group: 'batch' });
    expect(await cluster.findKind('pods')).toMatchObject({ group: '' });
    expect(await cluster.findKind('jobs.batch.volcano.sh')).toMatchObject({ group: 'batch.volcano.sh' });
  });

  it('are fetched once, and again for an unknown kind, which may be new', async () => {
    const clock = { now: 0 };
    cluster = kubernetesCluster({ kubeconfig: { text: fake.kubeconfig() } }, () => clock.now);
    await Promise.all(['pods', 'nodes', 'jobs'].map((word) => cluster.findKind(word)));
    const asked = fake.requests.length;
    expect(await cluster.findKind('vcjob')).toBeUndefined();
    fake.kinds = [VOLCANO_JOB];
    expect(await cluster.findKind('vcjob')).toBeUndefined();
    expect(fake.requests).toHaveLength(asked);
    clock.now += 11_000;
    expect(await cluster.findKind('vcjob')).toMatchObject({ kind: 'Job' });
    expect(fake.requests).toHaveLength(2 * asked + 1);
  });

  it('are fetched in one request from a cluster with aggregated discovery', async () => {
    const resource = (name: string, kind: string, scope: string) => ({
      ...{ resource: name, responseKind: { group: '', version: '', kind }, scope },
      ...{ singularResource: kind.toLowerCase(), shortNames: [], verbs: ['get'], subresources: [] },
    });
    fake.intercept = ({ path, headers }) => {
      if (path !== '/api' && path !== '/apis') return undefined;
      expect(headers.accept).toContain('as=APIGroupDiscoveryList');
      const [name, resources] =
        path === '/api'
          ? ['', [resource('pods', 'Pod', 'Namespaced')]]
          : ['apps', [resource('deployments', 'Deployment', 'Namespaced')]];
      const items = [{ metadata: { name }, versions: [{ version: 'v1', resources }] }];
      return { status: 200, body: { kind: 'APIGroupDiscoveryList', items } };
    };
    expect(await cluster.findKind('pod')).toEqual(PODS);
    expect(await cluster.findKind('deployment')).toEqual(DEPLOYMENTS);
    expect(fake.requests).toHaveLength(2);
  });

  it('are fetched again after a failure', async () => {
    fake.intercept = () => ({ status: 500, body: 'broken' });
    await expect(cluster.findKind('pods')).rejects.toThrow(UpstreamFailed);
    fake.intercept = () => undefined;
    expect(await cluster.findKind('pods')).toEqual(PODS);
  });
});

describe('cluster objects', () => {
  it('are listed in pages, with their kind', async () => {
    fake.objects = [pod('a'), pod('b'), pod('c')];
    const { objects, more } = await cluster.list(PODS, { namespace: 'research', limit: 2 });
    expect(objects.map(({ kind, apiVersion, metadata }) => [apiVersion, kind, metadata.name])).toEqual([
      ['v1', 'Pod', 'a'],
      ['v1', 'Pod', 'b'],
    ]);
    expect(more).toBe(true);
    expect((await cluster.list(PODS, { limit: 3 })).more).toBe(false);
  });

  it('are shown in the table of the cluster, or by name if it returns no table', async () => {
    fake.objects = [pod('a')];
    expect(await cluster.table(PODS, { namespace: 'research', limit: 5 })).toEqual({
      ...{ columns: ['Name'], rows: [['a']], more: false },
    });
    const columnDefinitions = [{ name: 'Name' }, { name: 'Status' }];
    const body = {
      kind: 'Table',
      metadata: { continue: 'x' },
      columnDefinitions,
      rows: [{ cells: ['a', 'Running'] }],
    };
    fake.intercept = ({ headers }) =>
      headers.accept?.includes('as=Table') ? { status: 200, body } : undefined;
    expect(await cluster.table(PODS, { limit: 5 })).toEqual({
      ...{ columns: ['Name', 'Status'], rows: [['a', 'Running']], more: true },
    });
  });

  it("are applied strictly with the service's own field manager, and stay unchanged in a dry run", async () => {
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: PLACE, spec: { replicas: 1 } };
    await cluster.create(DEPLOYMENTS, object, { dryRun: true });
    await cluster.apply(DEPLOYMENTS, object, { dryRun: true });
    expect(fake.objects).toEqual([]);
    await cluster.apply(DEPLOYMENTS, object, {});
    await cluster.scale(DEPLOYMENTS, PLACE, 3, { dryRun: true });
    await cluster.delete(DEPLOYMENTS, PLACE, { dryRun: true });
    expect(fake.objects).toMatchObject([{ spec: { replicas: 1 } }]);
    await cluster.scale(DEPLOYMENTS, PLACE, 3, {});
    expect(fake.objects).toMatchObject([{ spec: { replicas: 3 } }]);
    await cluster.delete(DEPLOYMENTS, PLACE, {});
    expect(fake.objects).toEqual([]);
    const changes = fake.requests.filter(({ method }) => method === 'POST' || method === 'PATCH');
    for (const { query } of changes) {
      expect([query.get('fieldValidation'), query.get('fieldManager')]).toEqual([
        'Strict',
        'workspace-research-service',
      ]);
    }
    expect(fake.requests.at(-1)?.body).toMatchObject({ propagationPolicy: 'Background' });
  });

  it("can't be reached by a name with path traversal", async () => {
    await cluster.get(PODS, { namespace: 'research', name: 'a/../../secrets/s?x#y' }).catch(() => undefined);
    expect(fake.requests[0]?.path).toBe('/api/v1/namespaces/research/pods/a%2F..%2F..%2Fsecrets%2Fs%3Fx%23y');
  });

  it('can be checked for permissions', async () => {
    fake.forbids = ({ verb, resource }) => verb === 'patch' && resource === 'deployments/scale';
    const access = { verb: 'patch', kind: DEPLOYMENTS, namespace: 'research', name: 'p' };
    expect(await cluster.mayI(access)).toMatchObject({ allowed: true });
    expect(await cluster.mayI({ ...access, subresource: 'scale' })).toMatchObject({ allowed: false });
  });
});

describe('container log', () => {
  it('returns its end', async () => {
    fake.objects = [pod('p', { spec: { containers: [{ name: 'main' }] } })];
    fake.logs.set('research/p/main', `${'x'.repeat(3_000_000)}\none\ntwo\nthree\n`);
    const read = (tailLines: number, maxBytes: number) =>
      cluster.logs({ namespace: 'research', pod: 'p', container: 'main', tailLines, maxBytes });
    expect(await read(2, 1000)).toBe('two\nthree\n');
    expect(await read(2000, 10)).toBe('two\nthree\n');
    expect(await read(2000, 1_000_000)).toHaveLength(1_000_000);
  });

  it("returns the cluster's own message if there is no log yet", async () => {
    fake.objects = [pod('p', { spec: { containers: [{ name: 'a' }, { name: 'b' }] } })];
    const request = { namespace: 'research', pod: 'p', tailLines: 1, maxBytes: 100 };
    await expect(cluster.logs(request)).rejects.toThrow(/a container name must be specified .*\[a b\]/);
    await expect(cluster.logs({ ...request, container: 'a' })).rejects.toThrow(/waiting to start/);
  });
});

describe('cluster client after a rejection', () => {
  it.each([
    [400, InvalidInput],
    [403, Forbidden],
    [404, NotFound],
    [409, Conflict],
    [413, TooLarge],
    [422, InvalidInput],
    [429, UpstreamFailed],
    [500, UpstreamFailed],
    [503, UpstreamFailed],
  ])("passes on the cluster's own message: %i", async (status, type) => {
    fake.intercept = () => failure(status, 'Reason', 'what the cluster says');
    const refused = await cluster.get(PODS, PLACE).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(type);
    expect((refused as Error).message).toBe('what the cluster says');
  });

  it('reports a response that is not a Kubernetes object', async () => {
    fake.intercept = () => ({ status: 502, body: '<html>proxy at 10.0.0.1</html>' });
    await expect(cluster.get(PODS, PLACE)).rejects.toThrow(/^The cluster failed with status 502\.$/);
    fake.intercept = () => ({ status: 200, body: '<html>' });
    await expect(cluster.get(PODS, PLACE)).rejects.toThrow(/isn't JSON/);
    fake.intercept = () => ({ status: 200, body: [] });
    await expect(cluster.get(PODS, PLACE)).rejects.toThrow(/unexpected answer/);
  });

  it('reports a wrong or expired credential and reads the next one from its file', async () => {
    const folder = await tempFolder();
    const text = fake.kubeconfig().replace(/"token":"[^"]*"/, '"tokenFile":"token"');
    await writeFile(join(folder, 'config'), text);
    await writeFile(join(folder, 'token'), 'old');
    cluster = kubernetesCluster({ kubeconfig: { path: join(folder, 'config') } });
    await expect(cluster.list(PODS, { limit: 1 })).rejects.toThrow(/wrong or has expired/);
    fake.tokens.add('old');
    expect(await cluster.list(PODS, { limit: 1 })).toMatchObject({ objects: [] });
    await rm(join(folder, 'token'));
    fake.tokens.clear();
    // Read a minute ago.
    await expect(cluster.list(PODS, { limit: 1 })).rejects.toThrow(/wrong or has expired/);
  });
});

describe('cluster that does not respond', () => {
  it('times out at the deadline, before and during its response', async () => {
    cluster = kubernetesCluster({ kubeconfig: { text: fake.kubeconfig() }, deadlineMs: 300 });
    fake.mute = true;
    await expect(cluster.get(PODS, PLACE)).rejects.toThrow(/^The cluster did not answer in time\./);
  });

  it('is reported as unreachable', async () => {
    await fake.stop();
    await expect(cluster.get(PODS, PLACE)).rejects.toThrow(/^Can't reach the cluster \(ECONNREFUSED\)\./);
  });

  it('is disconnected if its response is too large', async () => {
    const body = { items: [], junk: 'x'.repeat(33 * 1024 * 1024) };
    fake.intercept = () => ({ status: 200, body });
    await expect(cluster.list(PODS, { limit: 1 })).rejects.toThrow(/more than 32 MB/);
  });
});

describe('proxy', () => {
  /** The API server acts as the proxy, because a plain HTTP proxy gets absolute URLs. */
  function behind(proxy: { http?: string; no?: string }, text = fake.kubeconfig()) {
    const kubeconfig = { text: text.replace(fake.url, 'http://cluster.example') };
    const settings = { https: undefined, http: proxy.http, no: proxy.no };
    return kubernetesCluster({ kubeconfig, proxy: settings, deadlineMs: 5000 });
  }

  it('is used if the service has one', async () => {
    expect(await behind({ http: fake.url }).findKind('pods')).toEqual(PODS);
    expect(fake.requests[0]?.headers.host).toBe('cluster.example');
  });

  it('is not used for hosts in NO_PROXY', async () => {
    const direct = behind({ http: fake.url, no: 'cluster.example' });
    await expect(direct.findKind('pods')).rejects.toThrow(/^Can't reach the cluster/);
    expect(fake.requests).toEqual([]);
  });

  it('is taken from the kubeconfig first', async () => {
    const server = '"server":"http://cluster.example"';
    const text = fake.kubeconfig().replace(/"server":"[^"]*"/, `${server},"proxy-url":"http://127.0.0.1:1"`);
    await expect(behind({ http: fake.url }, text).findKind('pods')).rejects.toThrow(
      /^Can't reach the cluster/,
    );
    expect(fake.requests).toEqual([]);
  });
});

it('cluster client reuses connections', async () => {
  for (let call = 0; call < 20; call++) await cluster.list(PODS, { limit: 1 });
  // The next call may start before the last call's connection is released.
  expect(fake.connections).toBeLessThan(4);
});

describe('openCluster', () => {
  const secrets = (kubeconfig?: string) => ({ get: async () => kubeconfig }) as unknown as Secrets;

  it('returns undefined if no cluster is configured', async () => {
    expect(await openCluster(readConfig({}), secrets())).toBeUndefined();
  });

  it('uses the secret KUBECONFIG if KUBECONFIG_PATH is not set, and a new secret immediately', async () => {
    const text = fake.kubeconfig();
    const first = await openCluster(readConfig({}), secrets(text));
    expect(await first?.findKind('pods')).toEqual(PODS);
    expect(await openCluster(readConfig({}), secrets(text))).toBe(first);
    const next = await openCluster(readConfig({}), secrets(fake.kubeconfig('other')));
    await expect(next?.findKind('pods')).rejects.toThrow(Forbidden);
  });

  it('reports a malformed kubeconfig only when the cluster is called', async () => {
    const opened = await openCluster(readConfig({ KUBECONFIG_PATH: '/nowhere/config' }), secrets());
    await expect(opened?.findKind('pods')).rejects.toThrow(NotConfigured);
  });
});
