import { Forbidden } from '../errors.ts';
import type { ClusterKind, ClusterObject } from '../ports/cluster.ts';
import type { ClusterRules } from './ports.ts';

/** An operation that the service never performs, even if the cluster allows it and a person approves it. */
export class ClusterBlocked extends Forbidden {}

/**
 * Kinds that may be changed, by group; null for every kind of the group. All others are read-only: roles,
 * accounts, webhooks, volumes, nodes, and so on.
 */
const CHANGEABLE = new Map<string, string[] | null>([
  ['', ['pods', 'services', 'configmaps', 'persistentvolumeclaims']],
  ['apps', null],
  ['batch', null],
  ['autoscaling', null],
  ['batch.volcano.sh', null],
  ['jobset.x-k8s.io', null],
  ['kubeflow.org', null],
  ['leaderworkerset.x-k8s.io', null],
  ['ray.io', null],
]);

/**
 * The allowed sources of a pod's volumes. All others contain Secrets, lead to Secrets, or reach the node or
 * another system.
 */
const VOLUMES = [
  'name',
  'emptyDir',
  'configMap',
  'downwardAPI',
  'persistentVolumeClaim',
  'ephemeral',
  'projected',
  'image',
];

/** Throws ClusterBlocked. */
export function checkNamespace({ protectedNamespaces }: ClusterRules, namespace: string): void {
  if (protectedNamespaces.includes(namespace))
    throw new ClusterBlocked(
      'cluster_operation_blocked',
      `The namespace ${namespace} is protected. The service neither reads nor changes it.`,
    );
}

/** Throws ClusterBlocked. */
export function checkReadable({ plural }: ClusterKind): void {
  // Secrets of any group, because another server may serve the same Secrets under its own group.
  if (plural === 'secrets')
    throw new ClusterBlocked('cluster_operation_blocked', 'The service neither reads nor changes Secrets.');
}

/** Throws ClusterBlocked. */
export function checkChangeable(kind: ClusterKind): void {
  checkReadable(kind);
  const kinds = CHANGEABLE.get(kind.group);
  if (kind.namespaced && (kinds === null || kinds?.includes(kind.plural))) return;
  throw new ClusterBlocked(
    'cluster_operation_blocked',
    `The service changes workloads only, not ${kind.plural}.`,
  );
}

/**
 * Checks that an object contains nothing forbidden, at any depth and in any kind: Secrets, service account
 * tokens, and the node's own files, network, and rights. Throws ClusterBlocked with the name of the field.
 */
export function checkObject(object: ClusterObject): void {
  // Users choose the names of its fields, and the values are texts.
  if (object.apiVersion === 'v1' && object.kind === 'ConfigMap') return;
  look(object, []);
}

function look(value: unknown, path: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  checkFields(value, path);
  for (const [name, item] of Object.entries(value)) look(item, [...path, name]);
}

function checkFields(value: object, path: string[]): void {
  for (const [name, item] of Object.entries(value)) {
    if (FORBIDDEN.get(name)?.(item) || name.startsWith(APPARMOR)) throw blocked([...path, name]);
  }
  if ('containers' in value && Array.isArray(value.containers)) checkPod(value as PodSpec, path);
}

/** The annotations that preceded `appArmorProfile`, one per container. Clusters still read them. */
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/';

interface PodSpec {
  volumes?: unknown;
  automountServiceAccountToken?: unknown;
}

function checkPod(pod: PodSpec, path: string[]): void {
  if (pod.automountServiceAccountToken !== false) {
    throw new ClusterBlocked(
      'cluster_operation_blocked',
      `${[...path, 'automountServiceAccountToken'].join('.')} must be false: pods that the service creates get no service account token.`,
    );
  }
  const volumes = Array.isArray(pod.volumes) ? (pod.volumes as unknown[]) : [];
  for (const [index, volume] of volumes.entries()) {
    const other = Object.keys(volume ?? {}).find((source) => !VOLUMES.includes(source));
    if (other !== undefined) throw blocked([...path, 'volumes', String(index), other]);
  }
}

function blocked(path: string[]): ClusterBlocked {
  return new ClusterBlocked(
    'cluster_operation_blocked',
    `${path.join('.')} is not allowed: pods that the service creates get no Secrets, tokens, host files, host network, or special rights.`,
  );
}

const isTrue = (value: unknown) => value === true;
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const isSet = (value: unknown) => value !== undefined && value !== null;
const isOther = (usual: string[]) => (value: unknown) => typeof value === 'string' && !usual.includes(value);

const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0;

/** Forbidden values by the name of the field. */
const FORBIDDEN = new Map(
  Object.entries<(value: unknown) => boolean>({
    secret: isObject,
    secretName: isSet,
    secretRef: isSet,
    secretKeyRef: isSet,
    serviceAccountToken: isSet,
    podCertificate: isSet,
    automountServiceAccountToken: isTrue,
    serviceAccount: isOther(['', 'default']),
    serviceAccountName: isOther(['', 'default']),
    hostPath: isSet,
    hostNetwork: isTrue,
    hostPID: isTrue,
    hostIPC: isTrue,
    hostPort: (value) => isSet(value) && value !== 0,
    hostProcess: isTrue,
    privileged: isTrue,
    allowPrivilegeEscalation: isTrue,
    procMount: isOther(['Default']),
    seLinuxOptions: namesDomain,
    sysctls: isFilled,
    capabilities: (value) => isFilled((value as { add?: unknown } | null)?.add),
    seccompProfile: isUnconfined,
    appArmorProfile: isUnconfined,
    priorityClassName: (value) => typeof value === 'string' && value.startsWith('system-'),
    externalIPs: isFilled,
  }),
);

/**
 * Returns whether a value names a domain. A level alone only separates pods from each other, and some
 * clusters give one to every pod.
 */
function namesDomain(value: unknown): boolean {
  const { user, role, type } = (value ?? {}) as { user?: unknown; role?: unknown; type?: unknown };
  return [user, role, type].some(isSet);
}

function isUnconfined(value: unknown): boolean {
  return (value as { type?: unknown } | null)?.type === 'Unconfined';
}
