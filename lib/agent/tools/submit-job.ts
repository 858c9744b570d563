import * as z from 'zod';
import { describeJob, refuseJob, submitJob } from '../../cluster/jobs/submit.ts';
import type { ClusterPorts } from '../../cluster/ports.ts';
import { clusterActor, imageField, jobNameField, namespaceField, requireCluster } from './cluster-fields.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  name: jobNameField,
  namespace: namespaceField,
  command: z.string().min(1).max(20_000).describe('Shell script that the job runs.'),
  image: imageField.optional().describe('Container image. Defaults to the image configured for the cluster.'),
  gpus: z.int().min(0).max(8).default(0),
  cpus: z.int().min(1).max(256).optional(),
  memoryGb: z.int().min(1).max(2048).optional(),
});

export function submitJobTool({ cluster }: { cluster: ClusterPorts | undefined }) {
  return defineTool({
    name: 'submitJob',
    description:
      "Submits a batch job to the Kubernetes cluster. It needs a person's approval for exactly this job. Read its result with collectJobResults.",
    input,
    inEveryMode: false,
    ruled: { kind: 'text', argument: ({ name }) => name },
    approval: {
      needed: () => cluster !== undefined,
      describe: (job, context) => describeJob(requireCluster(cluster), job, clusterActor(context)),
      refused: (job, context) => refuseJob(requireCluster(cluster), job, clusterActor(context)),
    },
    timeoutMs: 60_000,
    run(job, context) {
      return submitJob(requireCluster(cluster), job, clusterActor(context));
    },
  });
}
