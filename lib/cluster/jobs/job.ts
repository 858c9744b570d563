import type { ClusterKind, ClusterObject } from '../../ports/cluster.ts';
import type { ClusterActor } from '../audit.ts';
import type { ClusterRules } from '../ports.ts';
import { isVolcano } from './volcano.ts';

export interface JobRequest {
  name: string;
  namespace: string;
  /** A shell script. */
  command: string;
  image?: string | undefined;
  gpus: number;
  cpus?: number | undefined;
  memoryGb?: number | undefined;
}

export interface JobPlan extends JobRequest {
  image: string;
  /** The cluster's name for its GPUs; undefined if the job requests none. */
  gpuResource: string | undefined;
}

/** The time in seconds after which a finished job and its logs are deleted. */
const KEEP_SECONDS = 7 * 24 * 60 * 60;
const MARK = 'workspace-research';
/** Matches the valid values of a label. Any other value is stored only in an annotation. */
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/**
 * Returns the object of a job: one pod with one attempt, because a partly executed command can't be repeated
 * unasked, and without a service account token.
 */
export function buildJob(
  plan: JobPlan,
  kind: ClusterKind,
  rules: ClusterRules,
  { workspaceId, runId, callerId }: Pick<ClusterActor, 'workspaceId' | 'runId' | 'callerId'>,
): ClusterObject {
  const marks = Object.entries({
    workspace: workspaceId,
    run: runId,
    caller: callerId,
    submitter: rules.submitter,
  })
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]): [string, string] => [`${MARK}/${name}`, value]);
  const labels = {
    'app.kubernetes.io/managed-by': 'workspace-research-service',
    ...Object.fromEntries(marks.filter(([, value]) => LABEL.test(value))),
  };
  const metadata = {
    name: plan.name,
    namespace: plan.namespace,
    labels,
    annotations: Object.fromEntries(marks),
  };
  const template = { metadata: { labels }, spec: buildPod(plan, rules) };
  const apiVersion = `${kind.group}/${kind.version}`;
  const spec = isVolcano(kind) ? volcanoSpec(template) : batchSpec(template);
  return { apiVersion, kind: kind.kind, metadata, spec };
}

function batchSpec(template: object) {
  return { backoffLimit: 0, ttlSecondsAfterFinished: KEEP_SECONDS, template };
}

function volcanoSpec(template: object) {
  return {
    schedulerName: 'volcano',
    minAvailable: 1,
    ttlSecondsAfterFinished: KEEP_SECONDS,
    policies: [{ event: 'TaskCompleted', action: 'CompleteJob' }],
    tasks: [{ name: 'main', replicas: 1, template }],
  };
}

function buildPod({ image, command, ...plan }: JobPlan, { imagePullSecret }: ClusterRules) {
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    ...(imagePullSecret === undefined ? {} : { imagePullSecrets: [{ name: imagePullSecret }] }),
    containers: [
      {
        name: 'main',
        image,
        command: ['/bin/sh', '-c', command],
        resources: buildResources(plan),
        securityContext: { allowPrivilegeEscalation: false },
      },
    ],
  };
}

/** Requests equal the limits, so that a job takes nothing from another job. */
function buildResources({ gpus, gpuResource, cpus, memoryGb }: Omit<JobPlan, 'image' | 'command'>) {
  const amounts = {
    ...(cpus === undefined ? {} : { cpu: String(cpus) }),
    ...(memoryGb === undefined ? {} : { memory: `${memoryGb}Gi` }),
    ...(gpuResource === undefined ? {} : { [gpuResource]: String(gpus) }),
  };
  return { requests: amounts, limits: amounts };
}
