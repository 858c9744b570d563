import * as z from 'zod';
import type { Cluster } from '../../ports/cluster.ts';
import { actorOf, jobNameField, namespaceField, requireCluster } from './cluster-fields.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  name: jobNameField,
  namespace: namespaceField,
  command: z.string().min(1).max(20_000).describe('a shell script that the job runs'),
  image: z.string().min(1).max(500).optional().describe("default: the cluster's own"),
  gpus: z.int().min(0).max(8).default(0),
  cpus: z.int().min(1).max(256).optional(),
  memoryGb: z.int().min(1).max(2048).optional(),
});

export function submitJobTool({ cluster }: { cluster: Cluster | undefined }) {
  return defineTool({
    name: 'submitJob',
    description:
      'Submits a batch job to the container cluster. Waits until a person has approved exactly this job. Its outcome is read with collectJobResults.',
    input,
    readsOnly: false,
    approval: ({ name, namespace, gpus, image }) =>
      `Submit job ${name} to the cluster, in namespace ${namespace}, with ${gpus} GPUs${image ? ` and image ${image}` : ''}`,
    timeoutMs: 60_000,
    run(job, context) {
      return requireCluster(cluster).submitJob(job, actorOf(context));
    },
  });
}
