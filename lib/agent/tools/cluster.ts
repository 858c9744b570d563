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

/** What each action cannot do without. */
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
    kind: kindField.optional().describe('of the object: pod, job, node, deployment, …'),
    name: objectNameField.optional().describe('of the object; logs: of the pod'),
    namespace: namespaceField,
    selector: z.string().max(500).optional().describe('label selector, for get, events and top'),
    container: containerField.optional().describe('for logs'),
    tailLines: z.int().min(1).max(2000).default(200).describe('for logs'),
    replicas: z.int().min(0).max(1000).optional().describe('for scale'),
    manifest: z
      .string()
      .min(1)
      .max(100_000)
      .optional()
      .describe(
        'YAML, for apply; pods need automountServiceAccountToken: false, and no Secrets or host access',
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
      'Looks at the container cluster (get, describe, logs, events, top) or changes it (apply, delete, scale). A change waits until a person has approved it. Jobs are submitted with submitJob.',
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
