import { oneLine, recordActivity } from '../../activity/record.ts';
import { InvalidInput, NotFound } from '../../errors.ts';
import type { Cluster, ClusterKind } from '../../ports/cluster.ts';
import { auditAttempt, auditedInCluster, auditRefusal, type ClusterActor, type Operation } from '../audit.ts';
import { requireAllowed } from '../change/allowed.ts';
import type { ClusterPorts } from '../ports.ts';
import { checkNamespace } from '../protect.ts';
import { findKind, resourceOf } from '../read/find-kind.ts';
import { findGpus, type GpuSupply } from '../read/gpus.ts';
import { nodeShape } from '../read/objects.ts';
import { buildJob, type JobPlan, type JobRequest } from './job.ts';
import { findJobKinds } from './volcano.ts';

const MAX_COMMAND_SHOWN = 300;
const MAX_NODES = 500;

export interface SubmittedJob {
  name: string;
  namespace: string;
  kind: string;
  image: string;
  /** For example, `2 nvidia.com/gpu, 4 CPUs`. */
  resources: string;
}

/**
 * Describes the whole job for approval, after the cluster has checked it (a dry run of its own checks and quotas, and
 * its authorization). Changes nothing. Throws the cluster's ServiceErrors with its messages.
 */
export function describeJob(ports: ClusterPorts, job: JobRequest, actor: ClusterActor): Promise<string> {
  return auditAttempt(ports, actor, operationOf(job), async () => {
    const { kind, plan, supply } = await planJob(ports, job);
    const object = buildJob(plan, kind, ports.rules, actor);
    const { namespace } = job;
    await ports.cluster.create(kind, object, { dryRun: true });
    await requireAllowed(ports.cluster, { verb: 'create', kind, namespace });
    return [
      `Submit job ${job.name} to the cluster, in namespace ${namespace}: ${describeNeeds(plan)}, image ${plan.image}.`,
      `It runs: ${oneLine(job.command, MAX_COMMAND_SHOWN)}`,
      `The cluster accepts it as ${resourceOf(kind)} (checked by a dry run and a permission check).`,
      ...describeWait(plan, supply),
    ].join('\n');
  });
}

export function submitJob(ports: ClusterPorts, job: JobRequest, actor: ClusterActor): Promise<SubmittedJob> {
  return auditedInCluster(
    ports,
    actor,
    operationOf(job),
    async () => {
      const { kind, plan } = await planJob(ports, job);
      await ports.cluster.create(kind, buildJob(plan, kind, ports.rules, actor), {});
      await recordSubmission(ports, plan, actor);
      const { name, namespace } = job;
      return { name, namespace, kind: resourceOf(kind), image: plan.image, resources: describeNeeds(plan) };
    },
    ({ kind, image, resources }) => `Submitted as ${kind}: ${resources}, image ${image}`,
  );
}

export function refuseJob(ports: ClusterPorts, job: JobRequest, actor: ClusterActor): Promise<void> {
  return auditRefusal(ports, actor, operationOf(job));
}

async function recordSubmission(ports: ClusterPorts, plan: JobPlan, actor: ClusterActor): Promise<void> {
  const { name, namespace, image } = plan;
  await recordActivity(ports, {
    workspaceId: actor.workspaceId,
    kind: 'job_submitted',
    actor: actor.callerId,
    summary: `Submitted job ${name} to the cluster, in namespace ${namespace}: ${describeNeeds(plan)}`,
    details: { name, namespace, image, runId: actor.runId },
  });
}

function operationOf({ name, namespace }: JobRequest): Operation {
  return { tool: 'submitJob', verb: 'create', resource: `jobs/${name}`, namespace };
}

async function planJob(
  { cluster, rules }: ClusterPorts,
  job: JobRequest,
): Promise<{ kind: ClusterKind; plan: JobPlan; supply: GpuSupply | undefined }> {
  checkNamespace(rules, job.namespace);
  const image = job.image ?? rules.image;
  if (image === undefined)
    throw new InvalidInput('missing_value', 'image is required, because K8S_IMAGE sets no default.', {
      field: 'image',
    });
  const [kind] = await findJobKinds(cluster);
  if (kind === undefined) throw new NotFound('cluster_kind_not_found', 'The cluster has no kind for jobs.');
  const supply = job.gpus === 0 ? undefined : await readGpus(cluster);
  return { kind, plan: { ...job, image, gpuResource: supply?.resource }, supply };
}

/** Throws InvalidInput if no node has a GPU. */
async function readGpus(cluster: Cluster): Promise<GpuSupply> {
  const { objects } = await cluster.list(await findKind(cluster, 'nodes'), { limit: MAX_NODES });
  const supply = findGpus(objects.map((object) => nodeShape.parse(object)));
  if (supply === undefined)
    throw new InvalidInput('invalid_value', 'gpus must be 0: no node of the cluster has GPUs.', {
      field: 'gpus',
    });
  return supply;
}

function describeNeeds({ gpus, gpuResource, cpus, memoryGb }: JobPlan): string {
  return [
    gpuResource === undefined ? 'no GPU' : `${gpus} ${gpuResource}`,
    ...(cpus === undefined ? [] : [`${cpus} CPUs`]),
    ...(memoryGb === undefined ? [] : [`${memoryGb} GiB of memory`]),
  ].join(', ');
}

function describeWait({ gpus }: JobPlan, supply: GpuSupply | undefined): string[] {
  if (supply === undefined || gpus <= supply.largest) return [];
  return [`No available node has more than ${supply.largest} GPUs, so the job may wait forever.`];
}
