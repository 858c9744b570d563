/** What the agent does in a container cluster. Each call is written to the audit log, whatever comes of it. */
export interface Cluster {
  operate(operation: ClusterOperation, actor: ClusterActor): Promise<unknown>;
  submitJob(job: JobRequest, actor: ClusterActor): Promise<unknown>;
  jobResults(request: JobResultsRequest, actor: ClusterActor): Promise<unknown>;
}

export interface ClusterOperation {
  action: 'get' | 'describe' | 'logs' | 'events' | 'top' | 'apply' | 'delete' | 'scale';
  kind?: string;
  name?: string;
  namespace: string;
  selector?: string;
  container?: string;
  tailLines?: number;
  replicas?: number;
  /** YAML. */
  manifest?: string;
}

export interface JobRequest {
  name: string;
  namespace: string;
  command: string;
  image?: string;
  gpus: number;
  cpus?: number;
  memoryGb?: number;
}

export interface JobResultsRequest {
  name: string;
  namespace: string;
  tailLines: number;
}

export interface ClusterActor {
  workspaceId: string;
  callerId: string;
  runId: string;
  signal: AbortSignal;
}
