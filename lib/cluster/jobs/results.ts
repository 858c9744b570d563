import { NotFound, ServiceError } from '../../errors.ts';
import type { Cluster, ClusterKind, ClusterObject } from '../../ports/cluster.ts';
import { auditedInCluster, type ClusterActor } from '../audit.ts';
import type { ClusterPorts } from '../ports.ts';
import { checkNamespace } from '../protect.ts';
import { type ClusterEvent, readEventsOf } from '../read/events.ts';
import { findKind, getIfThere, resourceOf } from '../read/find-kind.ts';
import { jobShape, type PodShape, podShape, volcanoJobShape } from '../read/objects.ts';
import { findJobKinds, isVolcano } from './volcano.ts';

export interface JobResultsRequest {
  name: string;
  namespace: string;
  tailLines: number;
}

export interface JobResults {
  name: string;
  namespace: string;
  kind: string;
  state: 'waiting' | 'running' | 'succeeded' | 'failed';
  /** The reason, if the cluster reports one. */
  reason: string;
  active: number;
  succeeded: number;
  failed: number;
  startedAt: string | null;
  finishedAt: string | null;
  pods: PodResult[];
  events: ClusterEvent[];
}

interface PodResult {
  name: string;
  phase: string;
  node: string;
  reason: string;
  containers: { name: string; exitCode: number | null; reason: string; log: string }[];
}

type JobState = Omit<JobResults, 'name' | 'namespace' | 'kind' | 'pods' | 'events'> & { selector: string };

/** The maximum number of pods to show. Of a job with more attempts, only the latest are shown. */
const MAX_PODS = 3;
const READ_PODS = 100;
const MAX_CONTAINERS = 3;
/** The maximum size of all logs in bytes. Events need the rest of the model's result. */
const MAX_LOG_BYTES = 18_000;

/** Returns the progress or outcome of a job, with the ends of its logs. Throws NotFound. */
export function jobResults(
  ports: ClusterPorts,
  request: JobResultsRequest,
  actor: ClusterActor,
): Promise<JobResults> {
  const { name, namespace } = request;
  const operation = { tool: 'collectJobResults', verb: 'get', resource: `jobs/${name}`, namespace };
  return auditedInCluster(
    ports,
    actor,
    operation,
    () => readResults(ports, request),
    ({ state, pods }) => `${state}, with the logs of ${pods.length} pods`,
  );
}

async function readResults(
  { cluster, rules }: ClusterPorts,
  { name, namespace, tailLines }: JobResultsRequest,
): Promise<JobResults> {
  checkNamespace(rules, namespace);
  const { kind, object } = await findJob(cluster, { name, namespace });
  const { selector, ...state } = isVolcano(kind) ? volcanoState(object) : batchState(object);
  const pods = await findPods(cluster, namespace, selector, object.metadata.uid ?? '');
  const uids = [object, ...pods].map(({ metadata }) => metadata.uid ?? '').filter((uid) => uid !== '');
  const [events, results] = await Promise.all([
    readEventsOf(cluster, { namespace }, uids),
    readLogs(cluster, pods, tailLines),
  ]);
  return { name, namespace, kind: resourceOf(kind), ...state, pods: results, events };
}

/** Returns the job. If both kinds have one of that name, returns the newer. */
async function findJob(
  cluster: Cluster,
  place: { name: string; namespace: string },
): Promise<{ kind: ClusterKind; object: ClusterObject }> {
  const found = await Promise.all(
    (await findJobKinds(cluster)).map(async (kind) => {
      const object = await getIfThere(cluster, kind, place);
      return object && { kind, object };
    }),
  );
  const [latest] = found
    .filter((job) => job !== undefined)
    .sort((a, b) => (createdAt(a.object) < createdAt(b.object) ? 1 : -1));
  if (latest === undefined)
    throw new NotFound(
      'cluster_object_not_found',
      `There is no job ${place.name} in namespace ${place.namespace}.`,
    );
  return latest;
}

function createdAt({ metadata }: ClusterObject): string {
  return metadata.creationTimestamp ?? '';
}

function batchState(object: ClusterObject): JobState {
  const { spec, status } = jobShape.parse(object);
  const { active, succeeded, failed, startTime, completionTime } = status;
  const ended = status.conditions.find(
    (condition) => condition.status === 'True' && ['Complete', 'Failed'].includes(condition.type),
  );
  const under = active > 0 || succeeded > 0 || failed > 0 ? 'running' : 'waiting';
  const state = ended === undefined ? under : ended.type === 'Complete' ? 'succeeded' : 'failed';
  const labels = Object.entries(spec.selector?.matchLabels ?? {});
  return {
    state,
    reason: spec.suspend ? 'suspended' : [ended?.reason, ended?.message].filter(Boolean).join(': '),
    ...{ active, succeeded, failed },
    startedAt: startTime || null,
    finishedAt: completionTime || null,
    selector: labels.map(([label, value]) => `${label}=${value}`).join(','),
  };
}

const VOLCANO_STATES: Record<string, JobState['state']> = {
  Pending: 'waiting',
  Inqueue: 'waiting',
  Completed: 'succeeded',
  Failed: 'failed',
  Aborted: 'failed',
  Terminated: 'failed',
};

function volcanoState(object: ClusterObject): JobState {
  const { metadata, status } = volcanoJobShape.parse(object);
  const { state, pending, running, succeeded, failed } = status;
  return {
    state: state.phase === '' ? 'waiting' : (VOLCANO_STATES[state.phase] ?? 'running'),
    reason: [state.phase, state.reason, state.message].filter(Boolean).join(': '),
    active: pending + running,
    ...{ succeeded, failed, startedAt: metadata.creationTimestamp || null, finishedAt: null },
    selector: `volcano.sh/job-name=${metadata.name}`,
  };
}

/**
 * Returns the latest pods of exactly this job. Any pod may have the same labels, so the owner is checked too.
 */
async function findPods(
  cluster: Cluster,
  namespace: string,
  labelSelector: string,
  uid: string,
): Promise<PodShape[]> {
  if (labelSelector === '') return [];
  const kind = await findKind(cluster, 'pods');
  const { objects } = await cluster.list(kind, { namespace, labelSelector, limit: READ_PODS });
  return objects
    .map((object) => podShape.parse(object))
    .filter(({ metadata }) => metadata.ownerReferences.some((owner) => owner.uid === uid))
    .sort((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1))
    .slice(0, MAX_PODS);
}

async function readLogs(cluster: Cluster, pods: PodShape[], tailLines: number): Promise<PodResult[]> {
  const count = pods.reduce((sum, pod) => sum + containersOf(pod).length, 0);
  const maxBytes = Math.floor(MAX_LOG_BYTES / Math.max(1, count));
  return Promise.all(
    pods.map(async (pod) => ({
      name: pod.metadata.name,
      phase: pod.status.phase,
      node: pod.spec.nodeName,
      reason: describePod(pod),
      containers: await Promise.all(
        containersOf(pod).map((container) => readContainer(cluster, pod, container, { tailLines, maxBytes })),
      ),
    })),
  );
}

function containersOf({ spec }: PodShape): string[] {
  return spec.containers.map(({ name }) => name).slice(0, MAX_CONTAINERS);
}

async function readContainer(
  cluster: Cluster,
  { metadata, status }: PodShape,
  container: string,
  limits: { tailLines: number; maxBytes: number },
): Promise<PodResult['containers'][number]> {
  const { terminated, waiting } =
    status.containerStatuses.find(({ name }) => name === container)?.state ?? {};
  const place = { namespace: metadata.namespace, pod: metadata.name, container };
  return {
    name: container,
    exitCode: terminated?.exitCode ?? null,
    reason: [(terminated ?? waiting)?.reason, (terminated ?? waiting)?.message].filter(Boolean).join(': '),
    log: await cluster.logs({ ...place, ...limits }).catch(describeMissingLog),
  };
}

/**
 * Returns a note in place of a missing log, so that a container that hasn't started doesn't fail the rest.
 */
function describeMissingLog(error: unknown): string {
  if (error instanceof ServiceError) return `[No log: ${error.message}]`;
  throw error;
}

/** Returns why a pod waits or failed: `Unschedulable: 0/3 nodes are available …`, `Evicted: …` */
function describePod({ status }: PodShape): string {
  const hindered = status.conditions.find(
    ({ type, status: holds }) => type === 'PodScheduled' && holds === 'False',
  );
  const { reason, message } = status.reason === '' && hindered !== undefined ? hindered : status;
  return [reason, message].filter(Boolean).join(': ');
}
