import { describe, expect, it } from '@jest/globals';
import { readObjects } from '../../../lib/cluster/change/manifest.ts';
import {
  ClusterBlocked,
  checkChangeable,
  checkNamespace,
  checkObject,
  checkReadable,
} from '../../../lib/cluster/protect.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import type { ClusterObject } from '../../../lib/ports/cluster.ts';

const container = { name: 'main', image: 'python:3' };

/** A deployment whose pods have these fields. */
function deployment(
  pod: Record<string, unknown> = {},
  apiVersion = 'apps/v1',
  kind = 'Deployment',
): ClusterObject {
  const spec = { automountServiceAccountToken: false, containers: [container], ...pod };
  return { apiVersion, kind, metadata: { name: 'web' }, spec: { template: { spec } } };
}

const withContainer = (fields: Record<string, unknown>) => ({ containers: [{ ...container, ...fields }] });
const withVolume = (source: Record<string, unknown>) => ({ volumes: [{ name: 'v', ...source }] });

describe('rejected parts of an object', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'a Secret as a volume',
      withVolume({ secret: { secretName: 's' } }),
      'spec.template.spec.volumes.0.secret',
    ],
    [
      'a Secret in a projected volume',
      withVolume({ projected: { sources: [{ secret: { name: 's' } }] } }),
      'volumes.0.projected.sources.0.secret',
    ],
    [
      'a token in a projected volume',
      withVolume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }),
      'sources.0.serviceAccountToken',
    ],
    [
      'a Secret from a CSI driver',
      withVolume({ csi: { driver: 'secrets-store.csi.k8s.io' } }),
      'volumes.0.csi',
    ],
    ['files of the node', withVolume({ hostPath: { path: '/' } }), 'volumes.0.hostPath'],
    ['a remote file system', withVolume({ nfs: { server: 'x', path: '/' } }), 'volumes.0.nfs'],
    [
      'a Secret as a variable',
      withContainer({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
      'containers.0.env.0.valueFrom.secretKeyRef',
    ],
    [
      'a Secret as all variables',
      withContainer({ envFrom: [{ secretRef: { name: 's' } }] }),
      'envFrom.0.secretRef',
    ],
    [
      'a Secret in an init container',
      { initContainers: [{ ...container, envFrom: [{ secretRef: { name: 's' } }] }] },
      'initContainers.0.envFrom.0.secretRef',
    ],
    ['a service account', { serviceAccountName: 'admin' }, 'serviceAccountName'],
    ['a service account by its old field', { serviceAccount: 'admin' }, 'serviceAccount'],
    [
      'the token of a service account',
      { automountServiceAccountToken: true },
      'automountServiceAccountToken',
    ],
    [
      'the default token of a service account',
      { automountServiceAccountToken: undefined },
      'automountServiceAccountToken',
    ],
    ['the network of the node', { hostNetwork: true }, 'hostNetwork'],
    ['the processes of the node', { hostPID: true }, 'hostPID'],
    ['a port of the node', withContainer({ ports: [{ containerPort: 1, hostPort: 1 }] }), 'ports.0.hostPort'],
    [
      'all privileges',
      withContainer({ securityContext: { privileged: true } }),
      'securityContext.privileged',
    ],
    [
      'additional capabilities',
      withContainer({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }),
      'securityContext.capabilities',
    ],
    ['no seccomp profile', { securityContext: { seccompProfile: { type: 'Unconfined' } } }, 'seccompProfile'],
    ['a certificate', withVolume({ projected: { sources: [{ podCertificate: {} }] } }), 'podCertificate'],
    ['an SELinux type', { securityContext: { seLinuxOptions: { type: 'spc_t' } } }, 'seLinuxOptions'],
    ['kernel parameters', { securityContext: { sysctls: [{ name: 'a', value: '1' }] } }, 'sysctls'],
    ['a system priority class', { priorityClassName: 'system-node-critical' }, 'priorityClassName'],
  ])('include %s', (_, pod, field) => {
    const look = () => checkObject(deployment(pod));
    expect(look).toThrow(ClusterBlocked);
    expect(look).toThrow(field);
  });

  it('include an AppArmor profile by its old annotation', () => {
    const pod = deployment();
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' };
    pod.spec = { template: { ...(pod.spec as { template: object }).template, metadata: { annotations } } };
    expect(() => checkObject(pod)).toThrow(ClusterBlocked);
  });

  it('are also found in other kinds, at any depth', () => {
    const job = deployment({ hostNetwork: true });
    const wrapped = {
      ...job,
      apiVersion: 'kubeflow.org/v1',
      kind: 'PyTorchJob',
      spec: { a: [{ b: job.spec }] },
    };
    expect(() => checkObject(wrapped)).toThrow('spec.a.0.b.template.spec.hostNetwork');
  });

  it.each<[string, ClusterObject]>([
    ['a plain deployment', deployment()],
    [
      'its own volumes, config maps, and claims',
      deployment({
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', configMap: { name: 'c' } },
          { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
        ],
      }),
    ],
    [
      'the name of a Secret that is only used to pull images',
      deployment({ imagePullSecrets: [{ name: 'pull' }] }),
    ],
    [
      'fewer capabilities',
      deployment(withContainer({ securityContext: { privileged: false, capabilities: { drop: ['ALL'] } } })),
    ],
    ['an SELinux level', deployment({ securityContext: { seLinuxOptions: { level: 's0:c1,c2' } } })],
    ['the default service account without its token', deployment({ serviceAccountName: 'default' })],
    [
      'a config map with any keys',
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'c' },
        data: { secretName: 'x', hostPath: '/' },
      },
    ],
    [
      'fields with unusual names',
      deployment(withContainer({ env: [{ name: 'constructor', value: 'toString' }] })),
    ],
  ])('exclude %s', (_, object) => {
    expect(() => checkObject(object)).not.toThrow();
  });
});

describe('resource types and namespaces', () => {
  const kind = (group: string, plural: string, namespaced = true) => ({
    ...{ group, version: 'v1', kind: 'X', plural, namespaced },
  });

  it.each([
    ['', 'pods'],
    ['', 'configmaps'],
    ['apps', 'deployments'],
    ['batch', 'cronjobs'],
    ['batch.volcano.sh', 'jobs'],
    ['kubeflow.org', 'pytorchjobs'],
  ])('allow changes: %s/%s', (group, plural) => {
    expect(() => checkChangeable(kind(group, plural))).not.toThrow();
  });

  it.each([
    ['', 'secrets', true],
    ['', 'serviceaccounts', true],
    ['', 'namespaces', false],
    ['', 'nodes', false],
    ['', 'persistentvolumes', false],
    ['rbac.authorization.k8s.io', 'rolebindings', true],
    ['admissionregistration.k8s.io', 'validatingwebhookconfigurations', false],
    ['apps', 'anything', false],
    ['constructor', 'pods', true],
    ['external-secrets.io', 'externalsecrets', true],
  ])('allow no changes: %s/%s', (group, plural, namespaced) => {
    expect(() => checkChangeable(kind(group, plural, namespaced))).toThrow(ClusterBlocked);
  });

  it('allow reading everything except Secrets', () => {
    for (const group of ['', 'proxy.example'])
      expect(() => checkReadable(kind(group, 'secrets'))).toThrow('neither reads nor changes Secrets');
    for (const plural of ['pods', 'nodes', 'serviceaccounts']) checkReadable(kind('', plural));
  });

  it('exclude protected namespaces', () => {
    const rules = { protectedNamespaces: ['kube-system'] };
    expect(() => checkNamespace(rules, 'kube-system')).toThrow(ClusterBlocked);
    expect(() => checkNamespace(rules, 'research')).not.toThrow();
  });
});

describe('cluster manifest', () => {
  it('may contain several objects, all for one namespace', () => {
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: b, namespace: lab}\n';
    expect(readObjects(text, 'lab').map(({ metadata }) => metadata)).toEqual([
      { name: 'a', namespace: 'lab' },
      { name: 'b', namespace: 'lab' },
    ]);
  });

  const object = (fields = '') => `apiVersion: v1\nkind: Pod\nmetadata: {name: a${fields}}\n`;

  it.each([
    ['no object', '# nothing', 'must contain an object'],
    ['invalid YAML', 'a: [', 'must be YAML without aliases'],
    ['aliases', 'a: &a [1]\nb: *a\n', 'must be YAML without aliases'],
    ['endless depth', `a: ${'['.repeat(100)}${']'.repeat(100)}`, 'must be YAML'],
    ['a string', 'hello', 'object 1, at its top level'],
    ['no name', 'apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n', 'object 1, at metadata.name'],
    ['a name with path traversal', object().replace('name: a', 'name: ../a'), 'object 1, at metadata.name'],
    [
      'another namespace',
      object(', namespace: kube-system'),
      'an object for another namespace than lab: object 1.',
    ],
    ['too many objects', Array(11).fill(object()).join('---\n'), 'at most 10 objects'],
  ])('is rejected with %s', (_, text, message) => {
    const read = () => readObjects(text, 'lab');
    expect(read).toThrow(InvalidInput);
    expect(read).toThrow('manifest ');
    expect(read).toThrow(message);
  });
});
