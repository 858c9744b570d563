import type { Clock } from '../ports/clock.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Records } from '../ports/records.ts';

/** Ports of every operation in the cluster: the cluster, the audit log, and the administrator's rules. */
export interface ClusterPorts {
  cluster: Cluster;
  records: Records;
  clock: Clock;
  rules: ClusterRules;
}

export interface ClusterRules {
  /** The name of the submitter in the cluster, as a label on each job. */
  submitter?: string | undefined;
  imagePullSecret?: string | undefined;
  /** The image for jobs that don't name one. */
  image?: string | undefined;
  /** Namespaces whose objects can't be read or changed. */
  protectedNamespaces: string[];
}
