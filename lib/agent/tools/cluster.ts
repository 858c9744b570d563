import * as z from 'zod';
import type { Cluster, ClusterOperation } from '../../ports/cluster.ts';
import { actorOf, namespaceField, requireCluster } from './cluster-fields.ts';
import { defineTool } from './tool.ts';

type Action = ClusterOperation['action'];

/** What each action cannot do without. */
const NEEDS: Record<Action, (keyof ClusterOperation)[]> = {
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
    kind: z.string().min(1).max(100).optional().describe('of the object: pod, job, node, deployment, …'),
    name: z.string().min(1).max(253).optional().describe('of the object; logs: of the pod'),
    namespace: namespaceField,
    selector: z.string().max(500).optional().describe('label selector, for get, events and top'),
    container: z.string().max(253).optional().describe('for logs'),
    tailLines: z.int().min(1).max(2000).default(200).describe('for logs'),
    replicas: z.int().min(0).max(1000).optional().describe('for scale'),
    manifest: z.string().min(1).max(100_000).optional().describe('YAML, for apply'),
  })
  .superRefine((operation, context) => {
    for (const field of NEEDS[operation.action]) {
      if (operation[field] !== undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: `${operation.action} needs it` });
    }
  });

export function clusterTool({ cluster }: { cluster: Cluster | undefined }) {
  return defineTool({
    name: 'cluster',
    description:
      'Looks at the container cluster (get, describe, logs, events, top) or changes it (apply, delete, scale). A change waits until a person has approved it. Jobs are submitted with submitJob.',
    input,
    readsOnly: false,
    approval: describeChange,
    timeoutMs: 60_000,
    run(operation, context) {
      return requireCluster(cluster).operate(operation, actorOf(context));
    },
    rest: () => 'Ask for one object, with a selector, or with fewer tailLines.',
  });
}

function describeChange({
  action,
  kind,
  name,
  namespace,
  replicas,
}: z.output<typeof input>): string | undefined {
  const object = `${kind} ${name} in namespace ${namespace}`;
  if (action === 'apply') return `Apply a manifest to the cluster, in namespace ${namespace}`;
  if (action === 'delete') return `Delete ${object} from the cluster`;
  if (action === 'scale') return `Scale ${object} to ${replicas} replicas`;
  return undefined;
}
