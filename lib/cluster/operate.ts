import { auditAttempt, auditedInCluster, auditRefusal, type ClusterActor, type Operation } from './audit.ts';
import { CHANGERS, type WantedChange } from './change/change.ts';
import { readObjects } from './change/manifest.ts';
import type { ClusterPorts } from './ports.ts';
import { type ClusterQuestion, readCluster } from './read/read-cluster.ts';

/** Arguments of the tool `cluster`. */
export type ClusterCommand = (Omit<ClusterQuestion, 'action'> & Omit<WantedChange, 'action'>) & {
  action: ClusterQuestion['action'] | WantedChange['action'];
};

export function isChange(command: ClusterCommand): command is ClusterCommand & WantedChange {
  return command.action in CHANGERS;
}

/** Performs the operation and logs it. */
export function operate(
  ports: ClusterPorts,
  command: ClusterCommand,
  actor: ClusterActor,
  signal: AbortSignal,
): Promise<unknown> {
  return auditedInCluster(
    ports,
    actor,
    operationOf(command),
    async (): Promise<unknown> =>
      isChange(command)
        ? CHANGERS[command.action].carryOut(ports, command, signal)
        : readCluster(ports, command as ClusterQuestion),
    (result) => (isChange(command) ? summarize(result as Record<string, unknown>) : 'read'),
  );
}

/** Returns a summary such as `scaled deployments.apps/web, replicas 2`. */
function summarize(done: Record<string, unknown>): string {
  return Object.entries(done)
    .map(([what, value]) => `${what} ${value}`)
    .join(', ');
}

/** Describes a change for approval, after the cluster has checked it. */
export function describeChange(
  ports: ClusterPorts,
  command: ClusterCommand & WantedChange,
  actor: ClusterActor,
): Promise<string> {
  return auditAttempt(ports, actor, operationOf(command), async () => {
    const lines = await CHANGERS[command.action].describe(ports, command);
    return [...lines, 'The cluster accepts it (checked by a dry run and a permission check).'].join('\n');
  });
}

export function refuseChange(
  ports: ClusterPorts,
  command: ClusterCommand,
  actor: ClusterActor,
): Promise<void> {
  return auditRefusal(ports, actor, operationOf(command));
}

function operationOf(command: ClusterCommand): Operation {
  const { action, namespace } = command;
  return { tool: 'cluster', verb: action, resource: describeResource(command), namespace };
}

const MAX_RESOURCE = 300;

function describeResource({ action, kind, name, manifest, namespace }: ClusterCommand): string {
  if (action === 'apply') return describeManifest(manifest ?? '', namespace);
  const word = kind ?? (action === 'logs' ? 'pod' : action);
  return name === undefined ? word : `${word}/${name}`;
}

function describeManifest(manifest: string, namespace: string): string {
  try {
    const objects = readObjects(manifest, namespace);
    return objects
      .map((object) => `${object.kind}/${object.metadata.name}`)
      .join(', ')
      .slice(0, MAX_RESOURCE);
  } catch {
    return 'manifest';
  }
}
