import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { ClusterKind } from '../../ports/cluster.ts';
import type { ClusterRequests } from './cluster-requests.ts';

/** A kind, and all words by which users may name it. */
interface KnownKind extends ClusterKind {
  words: string[];
}

/**
 * Requests aggregated discovery, which returns all groups in one response. Kubernetes before 1.26 understands
 * only the last of these forms, and returns only the groups.
 */
const ACCEPT = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

const FRESH_MS = 5 * 60_000;
/** Milliseconds before an unknown kind makes the kinds be read again; it may have just been installed. */
const LOOK_AGAIN_MS = 10_000;
const MAX_GROUPS = 200;

const discoverySchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string().default('') }),
      versions: z.array(
        z.object({
          version: z.string(),
          resources: z
            .array(
              z.object({
                resource: z.string(),
                responseKind: z.object({ kind: z.string() }).nullish(),
                scope: z.string(),
                singularResource: z.string().default(''),
                shortNames: z.array(z.string()).default([]),
              }),
            )
            .default([]),
        }),
      ),
    }),
  ),
});

const groupsSchema = z.object({
  groups: z.array(z.object({ versions: z.array(z.object({ groupVersion: z.string() })) })),
});

const resourcesSchema = z.object({
  groupVersion: z.string(),
  resources: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      namespaced: z.boolean(),
      singularName: z.string().default(''),
      shortNames: z.array(z.string()).default([]),
    }),
  ),
});

/** Returns the kinds that a cluster serves. They are requested at first use, and again after some minutes. */
export function discoverKinds(requests: ClusterRequests, now: () => number) {
  let known: { at: number; kinds: Promise<KnownKind[]> } | undefined;
  const look = (maxAgeMs: number): Promise<KnownKind[]> => {
    if (known !== undefined && now() - known.at < maxAgeMs) return known.kinds;
    const looked = { at: now(), kinds: readKinds(requests) };
    looked.kinds.catch(() => {
      if (known === looked) known = undefined;
    });
    known = looked;
    return looked.kinds;
  };
  return async (fits: (kind: KnownKind) => boolean): Promise<ClusterKind | undefined> => {
    const found = (await look(FRESH_MS)).find(fits) ?? (await look(LOOK_AGAIN_MS)).find(fits);
    if (found === undefined) return undefined;
    const { words: _, ...kind } = found;
    return kind;
  };
}

/**
 * Returns the kinds, built-in groups first, and otherwise in the cluster's order, which starts with its
 * preferred version.
 */
async function readKinds(requests: ClusterRequests): Promise<KnownKind[]> {
  const [core, others] = await Promise.all([
    requests.json({ method: 'GET', path: '/api', accept: ACCEPT }),
    requests.json({ method: 'GET', path: '/apis', accept: ACCEPT }),
  ]);
  const kinds = [...(await readRoot(requests, '/api', core)), ...(await readRoot(requests, '/apis', others))];
  return kinds.sort((a, b) => Number(isForeign(a.group)) - Number(isForeign(b.group)));
}

/**
 * Returns whether a group isn't built in. Built-in groups come first, because `metrics.k8s.io` also serves
 * pods and nodes. Only core, apps, batch, and the like have short names.
 */
function isForeign(group: string): boolean {
  return group.includes('.');
}

async function readRoot(
  requests: ClusterRequests,
  root: '/api' | '/apis',
  answer: unknown,
): Promise<KnownKind[]> {
  const aggregated = discoverySchema.safeParse(answer);
  if (aggregated.success) return aggregated.data.items.flatMap(kindsOfGroup);
  const paths = root === '/api' ? ['/api/v1'] : groupPaths(answer);
  return (await Promise.all(paths.map((path) => readGroup(requests, path)))).flat();
}

type DiscoveredGroup = z.infer<typeof discoverySchema>['items'][number];

function kindsOfGroup({ metadata, versions }: DiscoveredGroup): KnownKind[] {
  return versions.flatMap(({ version, resources }) =>
    resources.map(({ resource, responseKind, scope, singularResource, shortNames }) => ({
      group: metadata.name,
      version,
      kind: responseKind?.kind ?? '',
      plural: resource,
      namespaced: scope === 'Namespaced',
      words: [singularResource, ...shortNames],
    })),
  );
}

function groupPaths(answer: unknown): string[] {
  const parsed = groupsSchema.safeParse(answer);
  if (!parsed.success)
    throw new UpstreamFailed(
      'cluster_failed',
      'The cluster did not return the list of kinds that it serves.',
    );
  const versions = parsed.data.groups.flatMap((group) => group.versions.slice(0, 1));
  return versions.slice(0, MAX_GROUPS).map(({ groupVersion }) => `/apis/${groupVersion}`);
}

/** Returns the kinds of a group, or none if the server of that group is down. */
async function readGroup(requests: ClusterRequests, path: string): Promise<KnownKind[]> {
  const answer = await requests.json({ method: 'GET', path }).catch(() => undefined);
  const parsed = resourcesSchema.safeParse(answer);
  if (!parsed.success) return [];
  const [version = '', group = ''] = parsed.data.groupVersion.split('/').reverse();
  return parsed.data.resources
    .filter(({ name }) => !name.includes('/')) // the path of a subresource
    .map(({ name, kind, namespaced, singularName, shortNames }) => ({
      ...{ group, version, kind, plural: name, namespaced },
      words: [singularName, ...shortNames],
    }));
}

/** Accepts kubectl's forms: `deploy`, `Deployment`, `deployments.apps`, `jobs.v1.batch`. */
export function meansKind(word: string): (kind: KnownKind) => boolean {
  const [name = '', ...rest] = word.toLowerCase().split('.');
  const group = rest.join('.');
  return (kind) => {
    if (group !== '' && group !== kind.group && group !== `${kind.version}.${kind.group}`) return false;
    const names = [kind.plural, kind.kind.toLowerCase(), ...kind.words];
    return names.includes(name);
  };
}
