import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface FakeObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; uid?: string; labels?: Record<string, string> } & Record<
    string,
    unknown
  >;
  [field: string]: unknown;
}

interface FakeRequest {
  method: string;
  /** The path without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
}

/** `get`, `list`, `create`, `patch`, or `delete`, as the cluster's rules name them. */
interface FakeAccess {
  verb: string;
  /** `deployments/scale` */
  resource: string;
  group: string;
  namespace: string;
  name: string;
}

export interface FakeKubernetes {
  readonly url: string;
  /** A kubeconfig with this token. */
  kubeconfig(token?: string): string;
  objects: FakeObject[];
  /** Logs by `namespace/pod/container`; a container without a log hasn't started. */
  logs: Map<string, string>;
  /** Valid credentials; any other gets 401. */
  tokens: Set<string>;
  /** Actions that the cluster's rules forbid. */
  forbids: (access: FakeAccess) => boolean;
  /** Overrides the response if it returns anything but undefined. */
  intercept: (request: FakeRequest) => { status: number; body: unknown } | undefined;
  /** API groups installed in addition to the built-in ones. */
  kinds: FakeKind[];
  requests: FakeRequest[];
  connections: number;
  /** The delay before every response. */
  delayMs: number;
  /** Accepts requests and never responds. */
  mute: boolean;
  /** Objects per page if the caller sets no smaller limit. */
  pageSize: number;
  stop(): Promise<void>;
}

export interface FakeKind {
  group: string;
  version: string;
  kind: string;
  plural: string;
  short?: string[];
  namespaced: boolean;
  /** True if it has a `scale` below it. */
  scales?: boolean;
}

const BUILT_IN: FakeKind[] = [
  { group: '', version: 'v1', kind: 'Node', plural: 'nodes', short: ['no'], namespaced: false },
  { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', short: ['ns'], namespaced: false },
  { group: '', version: 'v1', kind: 'Pod', plural: 'pods', short: ['po'], namespaced: true },
  { group: '', version: 'v1', kind: 'Event', plural: 'events', short: ['ev'], namespaced: true },
  { group: '', version: 'v1', kind: 'Service', plural: 'services', short: ['svc'], namespaced: true },
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', short: ['cm'], namespaced: true },
  { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
  {
    group: '',
    version: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    short: ['sa'],
    namespaced: true,
  },
  {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    short: ['deploy'],
    namespaced: true,
    scales: true,
  },
  { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', short: ['ds'], namespaced: true },
  { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true },
  { group: 'batch', version: 'v1', kind: 'CronJob', plural: 'cronjobs', short: ['cj'], namespaced: true },
  {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
  },
  {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind: 'RoleBinding',
    plural: 'rolebindings',
    namespaced: true,
  },
];
export const VOLCANO_JOB: FakeKind = {
  group: 'batch.volcano.sh',
  version: 'v1alpha1',
  kind: 'Job',
  plural: 'jobs',
  short: ['vcjob', 'vj'],
  namespaced: true,
};
export const POD_METRICS: FakeKind = {
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  kind: 'PodMetrics',
  plural: 'pods',
  namespaced: true,
};
export const NODE_METRICS: FakeKind = {
  ...POD_METRICS,
  kind: 'NodeMetrics',
  plural: 'nodes',
  namespaced: false,
};

const TOKEN = 'fake-token';
const USER = 'system:serviceaccount:research:workspace-research';

/** The API server of a cluster in which nothing happens automatically. A test creates everything. */
export async function startFakeKubernetes(): Promise<FakeKubernetes> {
  const server = createServer((request, response) => {
    serveRequest(fake, request, response).catch(() => response.destroy());
  });
  server.on('connection', () => {
    fake.connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeKubernetes = {
    url,
    kubeconfig: (token = TOKEN) => kubeconfigOf(url, token),
    objects: [],
    logs: new Map(),
    tokens: new Set([TOKEN]),
    forbids: () => false,
    intercept: () => undefined,
    kinds: [],
    requests: [],
    connections: 0,
    delayMs: 0,
    mute: false,
    pageSize: 500,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return fake;
}

/** The client accepts plain HTTP only if it is configured to ignore certificates. */
function kubeconfigOf(url: string, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'fake', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'fake', user: { token } }],
    contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake', namespace: 'research' } }],
    'current-context': 'fake',
  });
}

/** Adds the fields that the API server itself fills in. */
export function fakeObject(
  apiVersion: string,
  kind: string,
  name: string,
  fields: Record<string, unknown> = {},
): FakeObject {
  const { metadata, ...rest } = fields;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      uid: randomUUID(),
      creationTimestamp: '2026-11-21T10:00:00Z',
      resourceVersion: '1',
      ...(metadata as object),
    },
    ...rest,
  };
}

async function serveRequest(fake: FakeKubernetes, incoming: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', fake.url);
  const { method = 'GET', headers } = incoming;
  const request = { method, path: pathname, query: searchParams, headers, body: await readBody(incoming) };
  fake.requests.push(request);
  if (fake.mute) return;
  if (fake.delayMs > 0) await pause(fake.delayMs);
  const { status, body } = answer(fake, request);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type }).end(text);
}

/** JSON, or YAML that is JSON, as clients send an apply. */
async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}

interface FakeAnswer {
  status: number;
  body: unknown;
}

function answer(fake: FakeKubernetes, request: FakeRequest): FakeAnswer {
  const instead = fake.intercept(request);
  if (instead !== undefined) return instead;
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  if (!fake.tokens.has(token)) return failure(401, 'Unauthorized', 'Unauthorized');
  const kinds = [...BUILT_IN, ...fake.kinds];
  if (request.path.endsWith('/selfsubjectaccessreviews')) return review(fake, request);
  const discovered = discover(kinds, request.path);
  if (discovered !== undefined) return { status: 200, body: discovered };
  const target = targetOf(kinds, request);
  if (target === undefined) return { status: 404, body: '404 page not found\n' };
  if (fake.forbids(target.access)) return forbidden(target.access);
  return answerFor(fake, request, target);
}

interface Target {
  kind: FakeKind;
  access: FakeAccess;
  subresource: string | undefined;
}

function targetOf(kinds: FakeKind[], { method, path }: FakeRequest): Target | undefined {
  const match =
    /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
      path,
    );
  if (match === null) return undefined;
  const [, group = '', version, namespace = '', plural = '', name = '', subresource] = match;
  const kind = kinds.find((one) => one.group === group && one.version === version && one.plural === plural);
  if (kind === undefined) return undefined;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  return { kind, subresource, access: { verb: verbOf(method, name), resource, group, namespace, name } };
}

function verbOf(method: string, name: string): string {
  if (method === 'GET') return name === '' ? 'list' : 'get';
  return { POST: 'create', PATCH: 'patch', PUT: 'update', DELETE: 'delete' }[method] ?? method;
}

function answerFor(fake: FakeKubernetes, request: FakeRequest, target: Target): FakeAnswer {
  const { kind, access, subresource } = target;
  const dryRun = request.query.get('dryRun') === 'All';
  if (access.verb === 'list') return list(fake, request, target);
  if (access.verb === 'create') return create(fake, kind, access, request.body as FakeObject, dryRun);
  const found = fake.objects.find((object) => isAt(object, kind, access));
  if (access.verb === 'patch' && subresource === undefined)
    return apply(fake, kind, access, found, request.body as FakeObject, dryRun);
  if (found === undefined) return notFound(kind, access.name);
  if (subresource === 'log') return log(fake, request, found);
  if (subresource === 'scale') return scale(found, kind, request, dryRun);
  if (access.verb === 'delete') return remove(fake, found, kind, request, dryRun);
  return { status: 200, body: found };
}

function isAt(
  { apiVersion, kind, metadata }: FakeObject,
  type: FakeKind,
  { namespace, name }: FakeAccess,
): boolean {
  const here = !type.namespaced || namespace === '' || metadata.namespace === namespace;
  return (
    apiVersion === apiVersionOf(type) && kind === type.kind && here && (name === '' || metadata.name === name)
  );
}

function apiVersionOf({ group, version }: FakeKind): string {
  return group === '' ? version : `${group}/${version}`;
}

function list(fake: FakeKubernetes, { query }: FakeRequest, { kind, access }: Target): FakeAnswer {
  const suits = [
    selector(query.get('labelSelector'), ({ metadata }, key) => metadata.labels?.[key]),
    selector(query.get('fieldSelector'), (object, key) => fieldOf(object, key)),
  ];
  const all = fake.objects.filter(
    (object) => isAt(object, kind, access) && suits.every((suit) => suit(object)),
  );
  const from = Number(query.get('continue') ?? 0);
  const limit = Math.min(Number(query.get('limit') ?? fake.pageSize), fake.pageSize);
  const items = all.slice(from, from + limit).map(({ apiVersion: _, kind: __, ...object }) => object);
  const rest = all.length - from - items.length;
  const metadata = rest > 0 ? { continue: String(from + items.length), remainingItemCount: rest } : {};
  return {
    status: 200,
    body: {
      apiVersion: apiVersionOf(kind),
      kind: `${kind.kind}List`,
      metadata: { resourceVersion: '1', ...metadata },
      items,
    },
  };
}

type Read = (object: FakeObject, key: string) => string | undefined;

/** Matches `a=b`, `a==b`, `a!=b`, `a`, `a in (b,c)`. All terms must match. */
function selector(text: string | null, read: Read): (object: FakeObject) => boolean {
  const terms = (text ?? '').split(/,(?![^(]*\))/).filter((term) => term !== '');
  return (object) => terms.every((term) => holds(term, object, read));
}

function holds(term: string, object: FakeObject, read: Read): boolean {
  const [, set, values = ''] = /^(\S+) in \((.*)\)$/.exec(term) ?? [];
  if (set !== undefined) return values.split(',').includes(String(read(object, set)));
  const [, key = '', operator, value] = /^([^=!]+)(?:(==?|!=)(.*))?$/.exec(term) ?? [];
  const actual = read(object, key);
  if (operator === undefined) return actual !== undefined;
  return operator === '!=' ? actual !== value : actual === value;
}

function fieldOf(object: FakeObject, path: string): string | undefined {
  let value: unknown = object;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return value === undefined ? '' : String(value);
}

function create(
  fake: FakeKubernetes,
  kind: FakeKind,
  { namespace }: FakeAccess,
  body: FakeObject,
  dryRun: boolean,
): FakeAnswer {
  const place = { verb: '', resource: '', group: '', namespace, name: body.metadata.name };
  if (fake.objects.some((object) => isAt(object, kind, place))) {
    const text = `${nameOf(kind)} "${place.name}" already exists`;
    return failure(409, 'AlreadyExists', text);
  }
  const object = fakeObject(apiVersionOf(kind), kind.kind, place.name, {
    ...body,
    metadata: { ...body.metadata, ...(kind.namespaced && { namespace }) },
  });
  if (!dryRun) fake.objects.push(object);
  return { status: 201, body: object };
}

function apply(
  fake: FakeKubernetes,
  kind: FakeKind,
  access: FakeAccess,
  found: FakeObject | undefined,
  body: FakeObject,
  dryRun: boolean,
): FakeAnswer {
  if (found === undefined) return create(fake, kind, access, body, dryRun);
  const changed = merge(found, body) as FakeObject;
  if (!dryRun) Object.assign(found, changed);
  return { status: 200, body: changed };
}

/** Applies server-side, except for lists, which the API server merges by their keys. */
function merge(old: unknown, given: unknown): unknown {
  const nested = [old, given].every((value) => value && typeof value === 'object' && !Array.isArray(value));
  if (!nested) return given;
  const fields = Object.entries(given as object).map(([name, value]) => [
    name,
    merge((old as Record<string, unknown>)[name], value),
  ]);
  return { ...(old as object), ...Object.fromEntries(fields) };
}

function scale(
  found: FakeObject,
  kind: FakeKind,
  { method, body }: FakeRequest,
  dryRun: boolean,
): FakeAnswer {
  if (kind.scales !== true)
    return failure(404, 'NotFound', 'the server could not find the requested resource');
  const spec = found.spec as { replicas?: number };
  const wanted = (body as { spec?: { replicas?: number } } | undefined)?.spec?.replicas;
  const replicas = method === 'GET' ? spec.replicas : wanted;
  if (method !== 'GET' && !dryRun) found.spec = { ...spec, replicas };
  const { name, namespace } = found.metadata;
  const answer = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, namespace },
    spec: { replicas },
  };
  return { status: 200, body: { ...answer, status: { replicas: spec.replicas } } };
}

function remove(
  fake: FakeKubernetes,
  found: FakeObject,
  kind: FakeKind,
  { query, body }: FakeRequest,
  dryRun: boolean,
): FakeAnswer {
  const options = body as { preconditions?: { uid?: string }; dryRun?: string[] } | undefined;
  const { name, uid } = found.metadata;
  const wanted = options?.preconditions?.uid;
  if (wanted !== undefined && wanted !== uid) {
    const text = `Operation cannot be fulfilled on ${nameOf(kind)} "${name}": the UID in the precondition (${wanted}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    return failure(409, 'Conflict', text);
  }
  const dry = dryRun || options?.dryRun?.includes('All') || query.get('dryRun') === 'All';
  if (!dry) fake.objects = fake.objects.filter((object) => object !== found);
  return {
    status: 200,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { name, uid } },
  };
}

function log(fake: FakeKubernetes, { query }: FakeRequest, pod: FakeObject): FakeAnswer {
  const { name, namespace } = pod.metadata;
  const containers = (pod.spec as { containers: { name: string }[] }).containers.map((one) => one.name);
  const container = query.get('container') ?? (containers.length === 1 ? containers[0] : undefined);
  if (container === undefined) {
    const text = `a container name must be specified for pod ${name}, choose one of: [${containers.join(' ')}]`;
    return failure(400, 'BadRequest', text);
  }
  if (!containers.includes(container))
    return failure(400, 'BadRequest', `container ${container} is not valid for pod ${name}`);
  const text = fake.logs.get(`${namespace}/${name}/${container}`);
  if (text === undefined) {
    return failure(
      400,
      'BadRequest',
      `container "${container}" in pod "${name}" is waiting to start: ContainerCreating`,
    );
  }
  const lines = text.split(/(?<=\n)/);
  const tail = query.get('tailLines');
  const end = tail === null ? text : lines.slice(-Number(tail)).join('');
  return { status: 200, body: end.slice(0, Number(query.get('limitBytes') ?? end.length)) };
}

function review(fake: FakeKubernetes, { body }: FakeRequest): FakeAnswer {
  const { spec } = body as { spec: { resourceAttributes: Record<string, string> } };
  const {
    verb = '',
    resource = '',
    subresource,
    group = '',
    namespace = '',
    name = '',
  } = spec.resourceAttributes;
  const asked = {
    verb,
    resource: subresource ? `${resource}/${subresource}` : resource,
    group,
    namespace,
    name,
  };
  return { status: 201, body: { ...(body as object), status: { allowed: !fake.forbids(asked) } } };
}

/** Returns the lists of groups and kinds that clients request first. */
function discover(kinds: FakeKind[], path: string): unknown {
  if (path === '/version') return { major: '1', minor: '34', gitVersion: 'v1.34.2' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groupsOf(kinds) };
  const [, group = '', version] = /^\/(?:api|apis\/([^/]+))\/([^/]+)$/.exec(path) ?? [];
  const served = kinds.filter((kind) => kind.group === group && kind.version === version);
  if (served.length === 0) return undefined;
  const groupVersion = group === '' ? version : `${group}/${version}`;
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: served.flatMap(resourcesOf) };
}

function groupsOf(kinds: FakeKind[]) {
  const versions = new Map(kinds.map(({ group, version }) => [group, version]));
  versions.delete('');
  return [...versions].map(([name, version]) => {
    const known = { groupVersion: `${name}/${version}`, version };
    return { name, versions: [known], preferredVersion: known };
  });
}

function resourcesOf({ kind, plural, short = [], namespaced, scales }: FakeKind) {
  const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
  const own = { name: plural, singularName: kind.toLowerCase(), namespaced, kind, verbs, shortNames: short };
  const below = {
    name: `${plural}/scale`,
    singularName: '',
    namespaced,
    kind: 'Scale',
    verbs: ['get', 'patch', 'update'],
  };
  return scales === true ? [own, below] : [own];
}

function nameOf({ plural, group }: FakeKind): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function notFound(kind: FakeKind, name: string): FakeAnswer {
  return failure(404, 'NotFound', `${nameOf(kind)} "${name}" not found`);
}

function forbidden({ verb, resource, group, namespace, name }: FakeAccess): FakeAnswer {
  const object = `${resource.split('/')[0]}${group && `.${group}`}${name && ` "${name}"`}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const text = `${object} is forbidden: User "${USER}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
  return failure(403, 'Forbidden', text);
}

/** The API server's error format. `causes` name the fields of a 422. */
export function failure(
  code: number,
  reason: string,
  message: string,
  causes: { reason: string; message: string; field: string }[] = [],
): FakeAnswer {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return { status: code, body: { ...status, message, reason, details: { causes }, code } };
}
