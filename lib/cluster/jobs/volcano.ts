import type { Cluster, ClusterKind } from '../../ports/cluster.ts';

/** Jobs of Volcano, a batch scheduler that a cluster may have. They are queued, and start as a whole. */
export const VOLCANO_JOBS = 'jobs.batch.volcano.sh';

/** Returns the kind for submitted jobs: Volcano's if the cluster serves it, otherwise the built-in one. */
export async function findJobKinds(cluster: Cluster): Promise<ClusterKind[]> {
  const kinds = await Promise.all([cluster.findKind(VOLCANO_JOBS), cluster.findKind('jobs.batch')]);
  return kinds.filter((kind) => kind !== undefined);
}

export function isVolcano({ group }: Pick<ClusterKind, 'group'>): boolean {
  return group === 'batch.volcano.sh';
}
