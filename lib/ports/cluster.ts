/**
 * The API of a Kubernetes cluster, as far as the service uses it. What may be done with it is said in lib/cluster; here
 * is no rule. Every call ends by a deadline, and no answer is read beyond a bound.
 *
 * Throws ServiceErrors with the API server's own sentence: InvalidInput (400, 422), Forbidden (401, 403), NotFound,
 * Conflict, TooLarge (an answer over the bound); UpstreamFailed when the cluster cannot be reached, is too slow or fails;
 * NotConfigured when its kubeconfig cannot be used.
 */
export interface Cluster {
  /**
   * The kind that a word of kubectl's means: `pod`, `po`, `Pods`, `deploy`, `jobs.batch`, `jobs.batch.volcano.sh`. Undefined when
   * the cluster serves none of that name. Without a group the built-in kinds come first, as they do in kubectl.
   */
  findKind(word: string): Promise<ClusterKind | undefined>;
  /** The kind of a manifest: `apps/v1`, `Deployment`. */
  findManifestKind(apiVersion: string, kind: string): Promise<ClusterKind | undefined>;
  /** One page; `more` when the cluster has further ones. Without a namespace: of all namespaces. */
  list(kind: ClusterKind, query: ClusterQuery): Promise<{ objects: ClusterObject[]; more: boolean }>;
  /** The same page as the cluster draws it for people: kubectl's own columns. */
  table(kind: ClusterKind, query: ClusterQuery): Promise<ClusterTable>;
  get(kind: ClusterKind, place: ClusterPlace): Promise<ClusterObject>;
  /** Throws Conflict when it exists. Misspelt fields are refused. */
  create(kind: ClusterKind, object: ClusterObject, options: ClusterChange): Promise<ClusterObject>;
  /** Server-side apply: creates it or changes the fields that it names. Misspelt fields are refused. */
  apply(kind: ClusterKind, object: ClusterObject, options: ClusterChange): Promise<ClusterObject>;
  /** Throws NotFound, also where the kind cannot be scaled. */
  scale(
    kind: ClusterKind,
    place: ClusterPlace,
    replicas: number,
    options: ClusterChange,
  ): Promise<ClusterObject>;
  /** Deletes the object with what belongs to it, in the background. */
  delete(kind: ClusterKind, place: ClusterPlace, options: ClusterChange): Promise<void>;
  /**
   * The end of a container's log: its last lines, and of these the last bytes. Throws InvalidInput while the container has not
   * begun.
   */
  logs(request: ClusterLogRequest): Promise<string>;
  /** Whether the cluster would let the service do it: its own authorization, asked without doing anything. */
  mayI(access: ClusterAccess): Promise<{ allowed: boolean; reason?: string | undefined }>;
}

export interface ClusterKind {
  /** `` for the core group. */
  group: string;
  version: string;
  /** `Deployment` */
  kind: string;
  /** `deployments` */
  plural: string;
  namespaced: boolean;
}

export interface ClusterPlace {
  /** Left out of the address where the kind has no namespaces. */
  namespace: string;
  name: string;
}

export interface ClusterQuery {
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  limit: number;
}

export interface ClusterChange {
  /** Goes through every check of the cluster, and changes nothing. */
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

/** An object as the API server gives it; only what every object has is known here. */
export interface ClusterObject {
  apiVersion: string;
  kind: string;
  metadata: ClusterMetadata;
  [field: string]: unknown;
}

export interface ClusterMetadata {
  name: string;
  namespace?: string | undefined;
  uid?: string | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  creationTimestamp?: string | undefined;
  [field: string]: unknown;
}
