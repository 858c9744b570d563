import { NotFound } from '../../errors.ts';
import type { Cluster, ClusterKind, ClusterObject, ClusterPlace } from '../../ports/cluster.ts';

/** Throws NotFound. */
export async function findKind(cluster: Cluster, word: string): Promise<ClusterKind> {
  const kind = await cluster.findKind(word);
  if (kind === undefined)
    throw new NotFound('cluster_kind_not_found', `The cluster has no kind ${JSON.stringify(word)}.`);
  return kind;
}

/** Returns `deployments.apps`, as in the cluster's own messages. */
export function resourceOf({ plural, group }: Pick<ClusterKind, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** Undefined if there is no object with that name. */
export async function getIfThere(
  cluster: Cluster,
  kind: ClusterKind,
  place: ClusterPlace,
): Promise<ClusterObject | undefined> {
  try {
    return await cluster.get(kind, place);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
