import * as z from 'zod';
import type { WantedChange } from '../../cluster/change/change.ts';
import {
  type ClusterCommand,
  describeChange,
  isChange,
  operate,
  refuseChange,
} from '../../cluster/operate.ts';
import type { ClusterPorts } from '../../cluster/ports.ts';
import {
  clusterActor,
  containerField,
  kindField,
  namespaceField,
  objectNameField,
  requireCluster,
} from './cluster-fields.ts';
import { defineTool } from './tool.ts';

/** Required fields of each action. */
const NEEDS: Record<ClusterCommand['action'], ('kind' | 'name' | 'replicas' | 'manifest')[]> = {
  get: ['kind'],
  describe: ['kind', 'name'],
  logs: ['name'],
  events: [],
  top: ['kind'],
  apply: ['manifest'],
  delete: ['kind', 'name'],
  scale: ['kind', 'name', 'replicas'],
};

const input = z
  .strictObject({
    action: z.enum(['get', 'describe', 'logs', 'events', 'top', 'apply', 'delete', 'scale']),
    kind: kindField.optional().describe('Kind of the object, such as pod, job, node, or deployment.'),
    name: objectNameField.optional().describe('Name of the object. For logs, name of the pod.'),
    namespace: namespaceField,
    selector: z.string().max(500).optional().describe('Label selector, for get, events, and top.'),
    container: containerField.optional().describe('Name of the container, for logs.'),
    tailLines: z
      .int()
      .min(1)
      .max(2000)
      .default(200)
      .describe('Number of lines to return from the end, for logs.'),
    replicas: z.int().min(0).max(1000).optional().describe('Number of replicas, for scale.'),
    manifest: z
      .string()
      .min(1)
      .max(100_000)
      .optional()
      .describe(
        'YAML manifest, for apply. Pods need automountServiceAccountToken: false, and no Secrets or host access.',
      ),
  })
  .superRefine((operation, context) => {
    for (const field of NEEDS[operation.action]) {
      if (operation[field] !== undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: `is required for ${operation.action}` });
    }
  });

export function clusterTool({ cluster }: { cluster: ClusterPorts | undefined }) {
  return defineTool({
    name: 'cluster',
    description:
      "Inspects the Kubernetes cluster (get, describe, logs, events, top) or changes it (apply, delete, scale). Changes need a person's approval. To submit jobs, use submitJob.",
    input,
    inEveryMode: false,
    ruled: {
      kind: 'text',
      argument: ({ action, kind, name }) =>
        [action, kind, name].filter((word) => word !== undefined).join(' '),
    },
    approval: {
      needed: (command) => cluster !== undefined && isChange(command),
      describe: (command, context) =>
        describeChange(
          requireCluster(cluster),
          command as ClusterCommand & WantedChange,
          clusterActor(context),
        ),
      refused: (command, context) => refuseChange(requireCluster(cluster), command, clusterActor(context)),
    },
    timeoutMs: 60_000,
    run(command, context) {
      return operate(requireCluster(cluster), command, clusterActor(context), context.signal);
    },
    rest: () => 'Request one object, use a selector, or use fewer tailLines.',
  });
}
