import type { Clock } from '../ports/clock.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { ClusterStatus } from './schema.ts';

/** Never throws for the cluster's sake: what it does not answer is left empty, and `error` says why. */
export async function readStatus(
  _cluster: Cluster | undefined,
  _clock: Clock,
): Promise<ClusterStatus> {
  return { configured: false };
}
