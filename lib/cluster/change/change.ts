import { oneLine } from '../../activity/record.ts';
import { Conflict, NotFound, UpstreamFailed } from '../../errors.ts';
import { errorText } from '../../known-error.ts';
import type { Cluster, ClusterKind, ClusterObject } from '../../ports/cluster.ts';
import type { ClusterPorts } from '../ports.ts';
import { checkChangeable, checkNamespace, checkObject } from '../protect.ts';
import { findKind, getIfThere, resourceOf } from '../read/find-kind.ts';
import { requireAllowed } from './allowed.ts';
import { differencesOf } from './differences.ts';
import { readObjects } from './manifest.ts';

export interface WantedChange {
  action: 'apply' | 'delete' | 'scale';
  kind?: string | undefined;
  name?: string | undefined;
  namespace: string;
  replicas?: number | undefined;
  /** The YAML text of the objects. */
  manifest?: string | undefined;
}

const MAX_IMAGES_SHOWN = 500;

interface Changer {
  /** Returns lines that describe the effect to a person, after the cluster has checked it. Changes nothing. */
  describe(ports: ClusterPorts, change: WantedChange): Promise<string[]>;
  /** Makes the change, and returns the result for the model. Starts nothing more once the signal is aborted. */
  carryOut(ports: ClusterPorts, change: WantedChange, signal: AbortSignal): Promise<Record<string, unknown>>;
}

export const CHANGERS: Record<WantedChange['action'], Changer> = {
  apply: { describe: describeApply, carryOut: apply },
  delete: { describe: describeDelete, carryOut: deleteObject },
  scale: { describe: describeScale, carryOut: scale },
};

interface Applied {
  kind: ClusterKind;
  object: ClusterObject;
}

async function describeApply(ports: ClusterPorts, change: WantedChange): Promise<string[]> {
  const { cluster } = ports;
  const { namespace } = change;
  const lines = [];
  for (const { kind, object } of await readApplied(ports, change)) {
    const { name } = object.metadata;
    const before = await getIfThere(cluster, kind, { namespace, name });
    const after = await tryApply(cluster, kind, object);
    await requireAllowed(cluster, { verb: before === undefined ? 'create' : 'patch', kind, namespace, name });
    lines.push(...describeOutcome(`${resourceOf(kind)}/${name}`, before, after));
  }
  return [`Apply to the cluster, in namespace ${namespace}:`, ...lines];
}

function describeOutcome(
  resource: string,
  before: ClusterObject | undefined,
  after: ClusterObject,
): string[] {
  if (before === undefined) return [`- create ${resource}${describeImages(imagesOf(after))}`];
  const differences = differencesOf(before, after);
  if (differences.length === 0) return [`- leave ${resource} unchanged`];
  const images = imagesOf(after).difference(imagesOf(before));
  return [
    `- change ${resource}${describeImages(images)}:`,
    ...differences.map((difference) => `  ${difference}`),
  ];
}

/** Returns all images that an object would run. */
function imagesOf(object: ClusterObject): Set<string> {
  const images = new Set<string>();
  JSON.stringify(object, (name, value: unknown) => {
    if (name === 'image' && typeof value === 'string') images.add(value);
    return value;
  });
  return images;
}

function describeImages(images: Set<string>): string {
  return images.size === 0 ? '' : `, which runs ${oneLine([...images].join(', '), MAX_IMAGES_SHOWN)}`;
}

/**
 * Applies all objects. Each passes the cluster's checks before the first is changed. If one fails in between, the error
 * lists the changed ones.
 */
async function apply(
  ports: ClusterPorts,
  change: WantedChange,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const objects = await readApplied(ports, change);
  for (const { kind, object } of objects) await tryApply(ports.cluster, kind, object);
  const applied: string[] = [];
  for (const { kind, object } of objects) {
    try {
      if (signal.aborted) throw new Conflict('command_stopped', 'The call was stopped.');
      await ports.cluster.apply(kind, object, {});
    } catch (error) {
      throw applied.length === 0 ? error : failureAfter(applied, error);
    }
    applied.push(`${resourceOf(kind)}/${object.metadata.name}`);
  }
  return { applied };
}

/** Objects that were already applied stay applied. */
function failureAfter(applied: string[], error: unknown): UpstreamFailed {
  const message = errorText(error);
  return new UpstreamFailed(
    'cluster_partly_applied',
    `Only some objects were applied (${applied.join(', ')}), then this failed: ${message}`,
    {
      cause: error,
    },
  );
}

/**
 * Makes a dry run and checks its result like the manifest. Otherwise, fields that the cluster adds could
 * mount a Secret.
 */
async function tryApply(cluster: Cluster, kind: ClusterKind, object: ClusterObject): Promise<ClusterObject> {
  const after = await cluster.apply(kind, object, { dryRun: true });
  checkObject(after);
  return after;
}

async function readApplied({ cluster, rules }: ClusterPorts, change: WantedChange): Promise<Applied[]> {
  checkNamespace(rules, change.namespace);
  const objects = readObjects(change.manifest ?? '', change.namespace);
  return Promise.all(
    objects.map(async (object) => {
      const kind = await cluster.findManifestKind(object.apiVersion, object.kind);
      if (kind === undefined)
        throw new NotFound(
          'cluster_kind_not_found',
          `The cluster has no kind ${object.kind} in ${JSON.stringify(object.apiVersion)}.`,
        );
      checkChangeable(kind);
      checkObject(object);
      return { kind, object };
    }),
  );
}

async function describeDelete(ports: ClusterPorts, change: WantedChange): Promise<string[]> {
  const { kind, place } = await findChangeable(ports, change);
  const { metadata } = await ports.cluster.get(kind, place);
  await ports.cluster.delete(kind, place, { dryRun: true });
  await requireAllowed(ports.cluster, { verb: 'delete', kind, ...place });
  const since = metadata.creationTimestamp === undefined ? '' : `, created ${metadata.creationTimestamp}`;
  return [
    `Delete ${resourceOf(kind)}/${place.name} in namespace ${place.namespace} from the cluster${since}, with everything that belongs to it.`,
  ];
}

async function deleteObject(ports: ClusterPorts, change: WantedChange): Promise<Record<string, unknown>> {
  const { kind, place } = await findChangeable(ports, change);
  await ports.cluster.delete(kind, place, {});
  return { deleted: `${resourceOf(kind)}/${place.name}` };
}

async function describeScale(ports: ClusterPorts, change: WantedChange): Promise<string[]> {
  const { kind, place } = await findChangeable(ports, change);
  const { replicas = 0 } = change;
  const { spec } = await ports.cluster.get(kind, place);
  await ports.cluster.scale(kind, place, replicas, { dryRun: true });
  await requireAllowed(ports.cluster, { verb: 'patch', kind, subresource: 'scale', ...place });
  const now = (spec as { replicas?: number } | undefined)?.replicas;
  return [
    `Scale ${resourceOf(kind)}/${place.name} in namespace ${place.namespace} from ${now ?? 'its default'} to ${replicas} replicas.`,
  ];
}

async function scale(ports: ClusterPorts, change: WantedChange): Promise<Record<string, unknown>> {
  const { kind, place } = await findChangeable(ports, change);
  const { replicas = 0 } = change;
  await ports.cluster.scale(kind, place, replicas, {});
  return { scaled: `${resourceOf(kind)}/${place.name}`, replicas };
}

async function findChangeable({ cluster, rules }: ClusterPorts, change: WantedChange) {
  const { kind: word = '', namespace, name = '' } = change;
  const kind = await findKind(cluster, word);
  checkChangeable(kind);
  checkNamespace(rules, namespace);
  return { kind, place: { namespace, name } };
}
