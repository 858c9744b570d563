import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type {
  Cluster,
  ClusterAccess,
  ClusterKind,
  ClusterLogRequest,
  ClusterObject,
  ClusterPlace,
  ClusterQuery,
  ClusterTable,
} from '../../ports/cluster.ts';
import {
  type ClusterRequest,
  type ClusterRequests,
  clusterRequests,
  type RequestSettings,
} from './cluster-requests.ts';
import { discoverKinds, meansKind } from './discovery.ts';

/**
 * The owner of the fields that this service sets. Server-side apply never takes a field from another manager.
 */
const FIELD_MANAGER = 'workspace-research-service';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
    creationTimestamp: z
      .string()
      .nullish()
      .transform((time) => time ?? undefined),
  }),
});

const listSchema = z.object({
  metadata: z.object({ continue: z.string().optional() }).default({}),
  items: z.array(z.record(z.string(), z.unknown())).nullable(),
});

const tableSchema = z.object({
  kind: z.literal('Table'),
  metadata: z.object({ continue: z.string().optional() }).default({}),
  columnDefinitions: z.array(z.object({ name: z.string(), priority: z.int().default(0) })),
  rows: z.array(z.object({ cells: z.array(z.unknown()) })).nullable(),
});

const reviewSchema = z.object({ status: z.object({ allowed: z.boolean(), reason: z.string().optional() }) });

/** The API of a kubeconfig's cluster. Loads and requests nothing before the first call. */
export function kubernetesCluster(settings: RequestSettings, now: () => number = Date.now): Cluster {
  const requests = clusterRequests(settings);
  const find = discoverKinds(requests, now);
  const change = async (request: ClusterRequest) => parseObject(await requests.json(request));
  return {
    findKind: (word) => find(meansKind(word)),
    findManifestKind: (apiVersion, name) =>
      find(({ group, version, kind }) => kind === name && apiVersion === joinVersion({ group, version })),
    list: (kind, query) => list(requests, kind, query),
    table: (kind, query) => readTable(requests, kind, query),
    get: async (kind, place) =>
      parseObject(await requests.json({ method: 'GET', path: pathOf(kind, place) })),
    create: (kind, object, { dryRun }) =>
      change({
        method: 'POST',
        path: pathOf(kind, { namespace: object.metadata.namespace }),
        query: { ...strictly(dryRun), fieldManager: FIELD_MANAGER },
        body: object,
      }),
    apply: (kind, object, { dryRun }) =>
      change({
        method: 'PATCH',
        path: pathOf(kind, object.metadata),
        query: { ...strictly(dryRun), fieldManager: FIELD_MANAGER },
        contentType: 'application/apply-patch+yaml', // any JSON is valid YAML
        body: object,
      }),
    scale: (kind, place, replicas, { dryRun }) =>
      change({
        method: 'PATCH',
        path: `${pathOf(kind, place)}/scale`,
        query: { ...strictly(dryRun), fieldManager: FIELD_MANAGER },
        contentType: 'application/merge-patch+json',
        body: { spec: { replicas } },
      }),
    delete: (kind, place, { dryRun }) => remove(requests, pathOf(kind, place), dryRun),
    logs: (request) => readLog(requests, request),
    mayI: (access) => review(requests, access),
  };
}

async function remove(requests: ClusterRequests, path: string, dryRun = false): Promise<void> {
  // Without this policy, the pods of a deleted job keep running.
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
  const body = dryRun ? { ...options, dryRun: ['All'] } : options;
  await requests.json({ method: 'DELETE', path, body });
}

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

function readLog(
  requests: ClusterRequests,
  { namespace, pod, container, tailLines, maxBytes }: ClusterLogRequest,
): Promise<string> {
  const path = `${pathOf(PODS, { namespace, name: pod })}/log`;
  // The API's own byte limit would return the beginning of the log, not its end.
  return requests.tail({ method: 'GET', path, query: { container, tailLines }, accept: '*/*' }, maxBytes);
}

async function review(
  requests: ClusterRequests,
  { verb, kind, subresource, namespace, name }: ClusterAccess,
): Promise<{ allowed: boolean; reason?: string | undefined }> {
  const place = kind.namespaced ? { namespace } : {};
  const resourceAttributes = { ...place, verb, group: kind.group, resource: kind.plural, subresource, name };
  const answer = await requests.json({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    },
  });
  return parse(reviewSchema, answer).status;
}

async function list(
  requests: ClusterRequests,
  kind: ClusterKind,
  query: ClusterQuery,
): Promise<{ objects: ClusterObject[]; more: boolean }> {
  const { items, metadata } = parse(listSchema, await requests.json(listRequest(kind, query)));
  const own = { apiVersion: joinVersion(kind), kind: kind.kind }; // list items omit both fields
  return {
    objects: (items ?? []).map((item) => parseObject({ ...own, ...item })),
    more: !!metadata.continue,
  };
}

/** Returns a table. Kinds whose own server doesn't render tables are returned as names. */
async function readTable(
  requests: ClusterRequests,
  kind: ClusterKind,
  query: ClusterQuery,
): Promise<ClusterTable> {
  const answer = await requests.json({ ...listRequest(kind, query), accept: TABLE });
  const parsed = tableSchema.safeParse(answer);
  if (!parsed.success) {
    const { items, metadata } = parse(listSchema, answer);
    const names = (items ?? []).map((item) => [parse(namedSchema, item).metadata.name]);
    return { columns: ['Name'], rows: names, more: !!metadata.continue };
  }
  const { columnDefinitions, rows, metadata } = parsed.data;
  return {
    columns: columnDefinitions.map(({ name }) => name),
    rows: (rows ?? []).map(({ cells }) => cells),
    more: !!metadata.continue,
  };
}

const namedSchema = z.object({ metadata: z.object({ name: z.string() }) });

function listRequest(kind: ClusterKind, query: ClusterQuery): ClusterRequest {
  const { namespace, labelSelector, fieldSelector, limit } = query;
  return { method: 'GET', path: pathOf(kind, { namespace }), query: { labelSelector, fieldSelector, limit } };
}

/** Returns the options that reject unknown fields instead of dropping them. */
function strictly(dryRun = false): Record<string, string | undefined> {
  return { fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined };
}

/** Returns a path with every segment encoded, so that no name can lead to another object. */
function pathOf(
  { group, version, plural, namespaced }: Omit<ClusterKind, 'kind'>,
  { namespace, name }: Partial<ClusterPlace>,
): string {
  const root = group === '' ? ['api', version] : ['apis', group, version];
  const within = namespaced && namespace !== undefined ? ['namespaces', namespace] : [];
  const parts = [...root, ...within, plural, ...(name === undefined ? [] : [name])];
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

function joinVersion({ group, version }: Pick<ClusterKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

function parseObject(value: unknown): ClusterObject {
  return parse(objectSchema, value);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UpstreamFailed('cluster_failed', 'The cluster returned an unexpected answer.', {
    cause: parsed.error,
  });
}
