/**
 * The parts of a Kubernetes cluster's API that are used. lib/cluster decides what is allowed; this port has
 * no rules. Every call has a deadline, and every response a size limit. Throws ServiceErrors with the API
 * server's own message: InvalidInput (400, 422), Forbidden (401, 403), NotFound, Conflict, TooLarge (a
 * response over the limit); UpstreamFailed if the cluster is unreachable, too slow, or failing; NotConfigured
 * if its kubeconfig can't be used.
 */
export interface Cluster {
  /**
   * Returns the kind that a word means in kubectl: `pod`, `po`, `Pods`, `deploy`, `jobs.batch`,
   * `jobs.batch.volcano.sh`. Undefined if the cluster has no such kind. Without a group, built-in kinds take
   * precedence, as in kubectl.
   */
  findKind(word: string): Promise<ClusterKind | undefined>;
  /** Returns the kind of a manifest: `apps/v1`, `Deployment`. */
  findManifestKind(apiVersion: string, kind: string): Promise<ClusterKind | undefined>;
  /**
   * Returns one page. `more` means that the cluster has further ones. Without a namespace, lists all
   * namespaces.
   */
  list(kind: ClusterKind, query: ClusterQuery): Promise<{ objects: ClusterObject[]; more: boolean }>;
  /** Returns the same page as the cluster formats it for people, in kubectl's own columns. */
  table(kind: ClusterKind, query: ClusterQuery): Promise<ClusterTable>;
  get(kind: ClusterKind, place: ClusterPlace): Promise<ClusterObject>;
  /** Throws Conflict if the object exists. Rejects misspelled fields. */
  create(kind: ClusterKind, object: ClusterObject, options: ClusterChange): Promise<ClusterObject>;
  /** Server-side apply: creates the object, or changes the named fields. Rejects misspelled fields. */
  apply(kind: ClusterKind, object: ClusterObject, options: ClusterChange): Promise<ClusterObject>;
  /** Throws NotFound, even if the object exists but can't be scaled. */
  scale(
    kind: ClusterKind,
    place: ClusterPlace,
    replicas: number,
    options: ClusterChange,
  ): Promise<ClusterObject>;
  /** Deletes the object with its dependents, in the background. */
  delete(kind: ClusterKind, place: ClusterPlace, options: ClusterChange): Promise<void>;
  /**
   * Returns the end of a container's log: its last lines, limited to the last bytes. Throws InvalidInput before the
   * container has started.
   */
  logs(request: ClusterLogRequest): Promise<string>;
  /** Asks the cluster whether the service has this permission, without using it. */
  mayI(access: ClusterAccess): Promise<{ allowed: boolean; reason?: string | undefined }>;
}

export interface ClusterKind {
  /** Empty for the core group. */
  group: string;
  version: string;
  /** Such as `Deployment`. */
  kind: string;
  /** Such as `deployments`. */
  plural: string;
  namespaced: boolean;
}

export interface ClusterPlace {
  /** Omitted from the URL if the kind has no namespaces. */
  namespace: string;
  name: string;
}

export interface ClusterQuery {
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  limit: number;
}

interface ClusterChange {
  /** Runs every check of the cluster without changing anything. */
  dryRun?: boolean;
}

export interface ClusterLogRequest {
  namespace: string;
  pod: string;
  container?: string | undefined;
  tailLines: number;
  maxBytes: number;
}

export interface ClusterAccess {
  verb: string;
  kind: Pick<ClusterKind, 'group' | 'plural' | 'namespaced'>;
  subresource?: string;
  namespace: string;
  name?: string;
}

export interface ClusterTable {
  columns: string[];
  rows: unknown[][];
  more: boolean;
}

/** An object as the API server returns it, with only the fields common to all objects. */
export interface ClusterObject {
  apiVersion: string;
  kind: string;
  metadata: ClusterMetadata;
  [field: string]: unknown;
}

interface ClusterMetadata {
  name: string;
  namespace?: string | undefined;
  uid?: string | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  creationTimestamp?: string | undefined;
  [field: string]: unknown;
}
