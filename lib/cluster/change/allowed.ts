import { Forbidden } from '../../errors.ts';
import type { Cluster, ClusterKind } from '../../ports/cluster.ts';
import { resourceOf } from '../read/find-kind.ts';

/** Throws Forbidden. The dry run checks more, but some clusters authorize it differently. */
export async function requireAllowed(
  cluster: Cluster,
  access: { verb: string; kind: ClusterKind; namespace: string; name?: string; subresource?: string },
): Promise<void> {
  const { allowed, reason } = await cluster.mayI(access);
  if (allowed) return;
  const { verb, kind, namespace, subresource } = access;
  const resource = subresource === undefined ? resourceOf(kind) : `${resourceOf(kind)}/${subresource}`;
  const because = reason === undefined || reason === '' ? '' : `: ${reason}`;
  throw new Forbidden(
    'cluster_permission_denied',
    `The cluster does not permit the service to ${verb} ${resource} in namespace ${namespace}${because}. Ask a cluster administrator for the permission.`,
  );
}
