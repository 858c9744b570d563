import * as z from 'zod';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';

const nodeSchema = z
  .object({
    name: z.string(),
    ready: z.boolean().describe('Whether the node accepts pods.'),
    roles: z.string().describe('Comma-separated roles of the node, or `<none>`.'),
    cpu: z.string().describe('CPU that the node can allocate to pods, in Kubernetes notation.'),
    memory: z.string().describe('Memory that the node can allocate to pods, in Kubernetes notation.'),
    gpu: z.string().describe('Number of GPUs that the node can allocate to pods.'),
  })
  .meta({ title: 'ClusterNode' });

const jobSchema = z
  .object({
    name: z.string(),
    namespace: z.string(),
    active: z.int().describe('Number of pods of the job that are running or pending.'),
    succeeded: z.int().describe('Number of pods of the job that succeeded.'),
    failed: z.int().describe('Number of pods of the job that failed.'),
  })
  .meta({ title: 'ClusterJob' });

const podSchema = z
  .object({
    name: z.string(),
    namespace: z.string(),
    phase: z.string().describe('Phase of the pod: `Pending`, `Running`, `Failed`, or `Unknown`.'),
    nodeName: z.string().describe("Name of the node. Empty if the pod isn't scheduled yet."),
    gpu: z.string().describe('Number of GPUs that are reserved for the pod.'),
  })
  .meta({ title: 'ClusterPod' });

const overviewSchema = z.object({
  nodes: z.array(nodeSchema).describe('Nodes of the cluster.'),
  jobs: z.array(jobSchema).describe('Jobs of the cluster, at most 100.'),
  pods: z.array(podSchema).describe('Pods of the cluster that have not succeeded, at most 200.'),
  timestamp: timestampSchema.describe('Time at which the cluster was queried.'),
  error: z.string().optional().describe('Reason why some or all of the lists are empty.'),
});

/** A single object, not a union, because TypeScript clients read a union as all of its members at once. */
export const clusterStatusSchema = overviewSchema
  .partial()
  .extend({
    configured: z
      .boolean()
      .describe('Whether a cluster is configured. Without one, there are no other fields.'),
  })
  .meta({ id: 'ClusterStatus' });
export type ClusterStatus = { configured: false } | ({ configured: true } & z.infer<typeof overviewSchema>);
export type ClusterNode = z.infer<typeof nodeSchema>;
export type ClusterJob = z.infer<typeof jobSchema>;
export type ClusterPod = z.infer<typeof podSchema>;

const operationFields = {
  id: z.uuid(),
  workspaceId: z.string(),
  tool: z.string().describe('Tool of the agent: `cluster`, `submitJob`, or `collectJobResults`.'),
  verb: z.string().describe('Action of the operation, such as `get`, `create`, or `scale`.'),
  resource: z
    .string()
    .describe('Resource as it was requested, such as `deployment/web`, or `nodes` for a list.'),
  namespace: z.string(),
  status: z
    .enum(['success', 'error', 'blocked', 'denied'])
    .describe(
      'Result of the operation. `blocked`: stopped by a rule of the service before the cluster was called. `denied`: denied by the cluster or by the user who was asked to approve.',
    ),
  approvedBy: z
    .string()
    .nullable()
    .describe('ID of the credential that approved the operation. Null if no approval was needed.'),
  summary: z.string().describe('One-line result of the operation.'),
  createdAt: timestampSchema,
};

const clusterOperationSchema = z.object(operationFields).meta({ id: 'ClusterOperation' });

/** Not strict, because records are parsed with it, and a later version may have added a field. */
const storedOperationSchema = z.object({
  ...operationFields,
  /** The caller that owned the run. */
  callerId: z.string(),
  runId: z.string(),
});
export type ClusterOperation = z.infer<typeof storedOperationSchema>;

/** In seconds: as long as a workspace's activities are stored. */
const KEEP_SECONDS = 400 * 24 * 60 * 60;

/** The operations of every workspace. */
export const ALL_OPERATIONS = 'CLUSTER_OPERATIONS';

export function operationsPartition(workspaceId: string): string {
  return `CLUSTER_OPERATIONS#${workspaceId}`;
}

/**
 * The list is in order of time, for one workspace or, by the index, for all, because the IDs are UUIDv7. The
 * operations remain when their workspace is deleted.
 */
export const operations = collection({
  kind: 'cluster-operation',
  schema: storedOperationSchema,
  key: ({ workspaceId, id }: { workspaceId: string; id: string }) => ({
    partition: operationsPartition(workspaceId),
    sort: id,
  }),
  index: ({ id }) => ({ partition: ALL_OPERATIONS, sort: id }),
  expiresAt: ({ createdAt }) => Math.floor(Date.parse(createdAt) / 1000) + KEEP_SECONDS,
});

/** Pages have numbers, as in the console's cluster page. */
export const operationsQuery = z.object({
  workspaceId: idSchema
    .optional()
    .describe(
      'ID of a workspace. Without it, operations of every workspace are returned, for administrators only.',
    ),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('Maximum number of operations on the page.'),
  offset: z.coerce.number().int().min(0).max(10_000).default(0).describe('Number of operations to skip.'),
});
export type OperationsQuery = z.infer<typeof operationsQuery>;

export const operationsPageSchema = z.object({
  operations: z.array(clusterOperationSchema).describe('Operations, newest first.'),
  total: z.int().describe('Number of all operations.'),
  limit: z.int().describe('Maximum number of operations on the page.'),
  offset: z.int().describe('Number of operations before the page.'),
});
export type OperationsPage = z.infer<typeof operationsPageSchema>;
