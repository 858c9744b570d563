import * as z from 'zod';
import { jobResults } from '../../cluster/jobs/results.ts';
import type { ClusterPorts } from '../../cluster/ports.ts';
import { clusterActor, jobNameField, namespaceField, requireCluster } from './cluster-fields.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  name: jobNameField,
  namespace: namespaceField,
  tailLines: z.int().min(1).max(2000).default(200).describe('Number of log lines to return from the end.'),
});

export function collectJobResultsTool({ cluster }: { cluster: ClusterPorts | undefined }) {
  return defineTool({
    name: 'collectJobResults',
    description: 'Returns the status or the result of a job, and the end of its logs.',
    input,
    inEveryMode: false,
    ruled: { kind: 'text', argument: ({ name }) => name },
    timeoutMs: 60_000,
    run(request, context) {
      return jobResults(requireCluster(cluster), request, clusterActor(context));
    },
    rest: () => 'Use fewer tailLines.',
  });
}
