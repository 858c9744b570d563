import * as z from 'zod';
import { NotConfigured } from '../../errors.ts';
import type { Cluster, ClusterActor } from '../../ports/cluster.ts';
import type { ToolContext } from './tool.ts';

const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

export const namespaceField = z.string().max(63).regex(label, 'must be a DNS label').default('default');
export const jobNameField = z
  .string()
  .min(1)
  .max(52)
  .regex(label, 'must be a DNS label')
  .describe('lower case letters, digits and -');

/** Throws NotConfigured. */
export function requireCluster(cluster: Cluster | undefined): Cluster {
  if (cluster === undefined) throw new NotConfigured('no cluster is configured');
  return cluster;
}

/** For the audit log. */
export function actorOf({ workspace, caller, runId, signal }: ToolContext): ClusterActor {
  return { workspaceId: workspace.id, callerId: caller.id, runId, signal };
}
