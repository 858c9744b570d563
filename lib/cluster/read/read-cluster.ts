import { InvalidInput, NotFound } from '../../errors.ts';
import type { ClusterKind, ClusterObject } from '../../ports/cluster.ts';
import type { ClusterPorts } from '../ports.ts';
import { checkNamespace, checkReadable } from '../protect.ts';
import { readEvents, readEventsOf } from './events.ts';
import { findKind } from './find-kind.ts';
import { metricsShape } from './objects.ts';

export interface ClusterQuestion {
  action: 'get' | 'describe' | 'logs' | 'events' | 'top';
  kind?: string | undefined;
  name?: string | undefined;
  namespace: string;
  selector?: string | undefined;
  container?: string | undefined;
  tailLines: number;
}

const MAX_LISTED = 200;
const MAX_LOG_BYTES = 25_000;
const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Reads from the cluster, for the model. */
export function readCluster(ports: ClusterPorts, look: ClusterQuestion): Promise<unknown> {
  return LOOKS[look.action](ports, look);
}

type Reader = (ports: ClusterPorts, look: ClusterQuestion) => Promise<unknown>;

const LOOKS: Record<ClusterQuestion['action'], Reader> = {
  get: getObjects,
  describe: describeObject,
  logs: readPodLog,
  events: readEventsAbout,
  top: readTop,
};

/** Returns a single object in full, and several objects as the rows that kubectl shows. */
async function getObjects(ports: ClusterPorts, look: ClusterQuestion): Promise<unknown> {
  const kind = await findReadable(ports, look);
  const { namespace, name, selector: labelSelector } = look;
  if (name !== undefined) return withoutNoise(await ports.cluster.get(kind, { namespace, name }));
  const within = kind.namespaced ? { namespace } : {};
  const { columns, rows, more } = await ports.cluster.table(kind, {
    ...within,
    labelSelector,
    limit: MAX_LISTED,
  });
  return { columns, rows, ...(more ? { note: `There are more than ${MAX_LISTED}. Use a selector.` } : {}) };
}

async function describeObject(ports: ClusterPorts, look: ClusterQuestion): Promise<unknown> {
  const kind = await findReadable(ports, look);
  const { namespace, name = '' } = look;
  const object = await ports.cluster.get(kind, { namespace, name });
  // Events of a kind without a namespace are in the namespace `default`.
  const place = { namespace: kind.namespaced ? namespace : 'default' };
  const { uid } = object.metadata;
  // For a node, the kubelet uses the name instead of the UID.
  const about = kind.namespaced ? [uid ?? ''] : [uid ?? '', name];
  const mayRead = !ports.rules.protectedNamespaces.includes(place.namespace);
  const uids = mayRead ? about.filter((one) => one !== '') : [];
  return { object: withoutNoise(object), events: await readEventsOf(ports.cluster, place, uids) };
}

async function readPodLog({ cluster, rules }: ClusterPorts, look: ClusterQuestion): Promise<unknown> {
  const { namespace, name = '', container, tailLines } = look;
  checkNamespace(rules, namespace);
  const log = await cluster.logs({ namespace, pod: name, container, tailLines, maxBytes: MAX_LOG_BYTES });
  return { log };
}

async function readEventsAbout(ports: ClusterPorts, look: ClusterQuestion): Promise<unknown> {
  const { cluster, rules } = ports;
  const { namespace, name, selector: labelSelector } = look;
  checkNamespace(rules, namespace);
  const kind = look.kind === undefined ? undefined : await findKind(cluster, look.kind);
  const fields = [
    ...(kind === undefined ? [] : [`involvedObject.kind=${kind.kind}`]),
    ...(name === undefined ? [] : [`involvedObject.name=${name}`]),
  ];
  return { events: await readEvents(cluster, namespace, { fieldSelector: fields.join(','), labelSelector }) };
}

/** Throws NotFound if the cluster has no metrics, which is common. */
async function readTop(ports: ClusterPorts, look: ClusterQuestion): Promise<unknown> {
  const kind = await findReadable(ports, look);
  if (kind.group !== '' || !['nodes', 'pods'].includes(kind.plural))
    throw new InvalidInput('invalid_value', 'kind must be nodes or pods for top.', { field: 'kind' });
  const metrics = await ports.cluster.findKind(`${kind.plural}.metrics.k8s.io`);
  if (metrics === undefined)
    throw new NotFound(
      'cluster_metrics_not_found',
      'The cluster has no metrics (metrics.k8s.io is not available). Use describe on the nodes instead.',
    );
  const { namespace, selector: labelSelector, name } = look;
  const within = kind.namespaced ? { namespace } : {};
  const objects =
    name === undefined
      ? (await ports.cluster.list(metrics, { ...within, labelSelector, limit: MAX_LISTED })).objects
      : [await ports.cluster.get(metrics, { namespace, name })];
  return { [kind.plural]: objects.map(describeUsage) };
}

function describeUsage(object: ClusterObject) {
  const { metadata, usage, containers } = metricsShape.parse(object);
  return { name: metadata.name, ...usage, ...(containers.length === 0 ? {} : { containers: containers }) };
}

async function findReadable({ cluster, rules }: ClusterPorts, look: ClusterQuestion): Promise<ClusterKind> {
  const kind = await findKind(cluster, look.kind ?? '');
  checkReadable(kind);
  if (kind.namespaced) checkNamespace(rules, look.namespace);
  return kind;
}

/** Removes the cluster's internal fields, which are often larger than the rest of the object. */
function withoutNoise({ metadata, ...object }: ClusterObject): ClusterObject {
  const { managedFields: _, annotations = {}, ...rest } = metadata;
  const { [APPLIED]: __, ...kept } = annotations;
  return { ...object, metadata: { ...rest, annotations: kept } };
}
