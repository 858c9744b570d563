import { ServiceError } from '../../errors.ts';
import { errorText } from '../../known-error.ts';
import { log } from '../../log.ts';
import { type Clock, timestamp } from '../../ports/clock.ts';
import type { Cluster, ClusterObject } from '../../ports/cluster.ts';
import { VOLCANO_JOBS } from '../jobs/volcano.ts';
import type { ClusterJob, ClusterNode, ClusterPod, ClusterStatus } from '../schema.ts';
import { findKind } from './find-kind.ts';
import { gpusOf, gpusOfPod, isReady } from './gpus.ts';
import { jobShape, nodeShape, podShape, volcanoJobShape } from './objects.ts';

const MAX_NODES = 500;
const MAX_JOBS = 100;
const MAX_PODS = 200;
/**
 * The number of objects to read. The cluster sorts by name, so more are read than shown, and the important
 * ones are selected.
 */
const READ = 500;
const ROLE_LABEL = 'node-role.kubernetes.io/';

export interface StatusPorts {
  cluster: Cluster | undefined;
  clock: Clock;
  /** Namespaces that are hidden completely. */
  protectedNamespaces: string[];
}

/**
 * Returns the status of the cluster. Never throws because of the cluster. Missing information stays empty, and `error`
 * has the reason.
 */
export async function readClusterStatus({
  cluster,
  clock,
  protectedNamespaces,
}: StatusPorts): Promise<ClusterStatus> {
  if (cluster === undefined) return { configured: false };
  const elsewhere = protectedNamespaces.map((namespace) => `metadata.namespace!=${namespace}`);
  const errors = new Set<string>();
  const orNone = async <Item>(reading: Promise<Item[]>): Promise<Item[]> =>
    reading.catch((error: unknown) => {
      if (!(error instanceof ServiceError)) log.error('a part of the cluster status failed', {}, error);
      errors.add(errorText(error));
      return [];
    });
  const [nodes, jobs, volcanoJobs, pods] = await Promise.all([
    orNone(readNodes(cluster)),
    orNone(readJobs(cluster, elsewhere)),
    orNone(readVolcanoJobs(cluster, elsewhere)),
    orNone(readPods(cluster, elsewhere)),
  ]);
  const error = errors.size === 0 ? {} : { error: [...errors].join(' ') };
  const shown = [...volcanoJobs, ...jobs]
    .sort(newestActiveFirst)
    .slice(0, MAX_JOBS)
    .map(({ job }) => job);
  return { configured: true, nodes, jobs: shown, pods, timestamp: timestamp(clock), ...error };
}

async function readNodes(cluster: Cluster): Promise<ClusterNode[]> {
  const { objects } = await cluster.list(await findKind(cluster, 'nodes'), { limit: MAX_NODES });
  return objects.map(describeNode);
}

function describeNode(object: ClusterObject): ClusterNode {
  const node = nodeShape.parse(object);
  const labels = Object.keys(node.metadata.labels).filter((label) => label.startsWith(ROLE_LABEL));
  const gpus = [...gpusOf(node).values()].reduce((sum, amount) => sum + amount, 0);
  return {
    name: node.metadata.name,
    ready: isReady(node),
    roles: labels.map((label) => label.slice(ROLE_LABEL.length)).join(',') || '<none>',
    cpu: node.status.allocatable.cpu ?? '0',
    memory: node.status.allocatable.memory ?? '0',
    gpu: String(gpus),
  };
}

interface DatedJob {
  job: ClusterJob;
  createdAt: string;
}

async function readJobs(cluster: Cluster, fields: string[]): Promise<DatedJob[]> {
  const kind = await findKind(cluster, 'jobs.batch');
  const { objects } = await cluster.list(kind, { fieldSelector: fields.join(), limit: READ });
  return objects.map((object) => {
    const { metadata, status } = jobShape.parse(object);
    const { active, succeeded, failed } = status;
    const { name, namespace, creationTimestamp: createdAt } = metadata;
    return { job: { name, namespace, active, succeeded, failed }, createdAt };
  });
}

async function readVolcanoJobs(cluster: Cluster, fields: string[]): Promise<DatedJob[]> {
  const kind = await cluster.findKind(VOLCANO_JOBS);
  if (kind === undefined) return [];
  const { objects } = await cluster.list(kind, { fieldSelector: fields.join(), limit: READ });
  return objects.map((object) => {
    const { metadata, status } = volcanoJobShape.parse(object);
    const { pending, running, succeeded, failed } = status;
    const { name, namespace, creationTimestamp: createdAt } = metadata;
    return { job: { name, namespace, active: pending + running, succeeded, failed }, createdAt };
  });
}

function newestActiveFirst(a: DatedJob, b: DatedJob): number {
  const active = Number(b.job.active > 0) - Number(a.job.active > 0);
  return active || (a.createdAt < b.createdAt ? 1 : -1);
}

async function readPods(cluster: Cluster, fields: string[]): Promise<ClusterPod[]> {
  const kind = await findKind(cluster, 'pods');
  const fieldSelector = ['status.phase!=Succeeded', ...fields].join();
  const { objects } = await cluster.list(kind, { fieldSelector, limit: MAX_PODS });
  return objects.map((object) => {
    const pod = podShape.parse(object);
    const { metadata, spec, status } = pod;
    return {
      name: metadata.name,
      namespace: metadata.namespace,
      phase: status.phase || 'Unknown',
      nodeName: spec.nodeName,
      gpu: String(gpusOfPod(pod)),
    };
  });
}
