import * as z from 'zod';
import type { ClusterActor } from '../../cluster/audit.ts';
import type { ClusterPorts } from '../../cluster/ports.ts';
import { NotConfigured } from '../../errors.ts';
import type { ToolContext } from './tool.ts';

const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

export const namespaceField = z.string().max(63).regex(label, 'must be a DNS label').default('default');
export const jobNameField = z
  .string()
  .min(1)
  .max(52)
  .regex(label, 'must be a DNS label')
  .describe('Name of the job: lowercase letters, digits, and hyphens.');

/** The name of any object. Names of roles have colons. */
export const objectNameField = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9]([A-Za-z0-9.:_-]*[A-Za-z0-9])?$/, 'must be a Kubernetes name');

/** For example, `pod`, `deploy`, or `jobs.batch`. */
export const kindField = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'must be a Kubernetes kind');

export const containerField = z.string().max(63).regex(label, 'must be a DNS label');

/** `[registry[:port]/]path[:tag][@digest]` */
export const imageField = z
  .string()
  .max(500)
  .regex(
    /^([A-Za-z0-9][A-Za-z0-9.-]*(:\d{1,5})?\/)?[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*(:\w[\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/,
    'must be a container image reference',
  );

/** Throws NotConfigured. */
export function requireCluster(cluster: ClusterPorts | undefined): ClusterPorts {
  if (cluster === undefined) throw new NotConfigured('cluster_not_configured', 'No cluster is configured.');
  return cluster;
}

/** Returns the actor for the audit log. */
export function clusterActor({ workspace, caller, runId, approvedBy }: ToolContext): ClusterActor {
  return { workspaceId: workspace.id, callerId: caller.id, runId, approvedBy };
}
