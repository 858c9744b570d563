import * as z from 'zod';
import { requireMonitor } from '../../lib/access/caller.ts';
import { NotConfigured } from '../../lib/errors.ts';
import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import type { DiskState } from '../../lib/system/disk-state.ts';
import { type NetworkSpeed, networkSchema, storageSchema } from '../../lib/system/schema.ts';
import { describeStorage, type StoragePorts } from '../../lib/system/storage.ts';
import { type Metric, PROMETHEUS_TYPE, toPrometheus } from '../../lib/telemetry/metric.ts';
import { foldersQuery, foldersSchema } from '../../lib/workspaces/folder-schema.ts';
import { listFolders } from '../../lib/workspaces/folders.ts';

export interface SystemPorts extends HttpPorts, StoragePorts {
  version: string;
  aiAvailable: boolean;
  login: Login | undefined;
  measureNetwork(): Promise<NetworkSpeed>;
  /** Undefined on AWS. */
  measureHost: (() => Promise<Metric[]>) | undefined;
  /** Undefined if the disks have no limit. */
  watchDisk: (() => Promise<DiskState>) | undefined;
}

/** The data with which a page sends users to the issuer. It contains no secrets. */
const loginSchema = z
  .strictObject({
    issuer: z.string().describe('URL of the OIDC issuer.'),
    clientId: z.string().describe('Client ID of the console at the issuer.'),
    scope: z.string().describe('Space-separated scopes to request.'),
    audience: z.string().describe('Audience that the access token must have.'),
    acceptsTokens: z.boolean().describe('Whether the service also accepts API tokens.'),
  })
  .meta({ id: 'Login' });
type Login = z.infer<typeof loginSchema>;

const healthSchema = z.strictObject({
  status: z
    .enum(['ok', 'degraded'])
    .describe('Status of the service. `degraded` while the disk is full: reads work, and writes return 507.'),
  disk: z.enum(['ok', 'low', 'full']).optional().describe('Free disk space on a single host.'),
  version: z.string().describe('Version of the service, such as `1.0.0-rc.1`.'),
  aiAvailable: z.boolean().describe('Whether a model provider is configured.'),
  login: loginSchema
    .optional()
    .describe(
      'OIDC settings for the sign-in of the console (authorization code flow with PKCE). Present if OIDC_CLIENT_ID is set.',
    ),
});

const route = routeFor<SystemPorts>();

export const systemRoutes = [
  route({
    method: 'GET',
    path: '/api/health',
    operationId: 'getHealth',
    summary: 'Check the health of the service',
    description: 'Also returns whether a language model is configured.',
    access: 'public',
    replies: { 200: healthSchema },
    handle: async (_input, { version, aiAvailable, login, watchDisk }) => {
      const disk = await watchDisk?.();
      const status = disk === 'full' ? 'degraded' : 'ok';
      return reply(200, { status, ...(disk && { disk }), version, aiAvailable, ...(login && { login }) });
    },
  }),
  route({
    method: 'GET',
    path: '/api/metrics',
    operationId: 'getMetrics',
    summary: 'Get metrics for Prometheus',
    description:
      'Returns metrics of a single host in the text format of Prometheus. Only for the role `monitor` and for administrators, with a credential that is not bound to workspaces. On AWS, CloudWatch has the metrics.',
    access: 'monitor',
    errors: ['metrics_not_configured'],
    replies: { 200: { mediaType: 'text/plain', description: 'Metrics in the text format of Prometheus.' } },
    handle: async ({ caller }, { measureHost }) => {
      requireMonitor(caller);
      if (measureHost === undefined)
        throw new NotConfigured('metrics_not_configured', 'This deployment has its metrics in CloudWatch.');
      return reply(200, toPrometheus(await measureHost()), { 'content-type': PROMETHEUS_TYPE });
    },
  }),
  route({
    method: 'GET',
    path: '/api/system/network',
    operationId: 'getNetworkSpeed',
    summary: 'Get the network throughput',
    description: 'Returns the throughput of the network interfaces of the host.',
    access: 'viewer',
    replies: { 200: networkSchema },
    handle: async (_input, { measureNetwork }) => reply(200, await measureNetwork()),
  }),
  route({
    method: 'GET',
    path: '/api/system/storage',
    operationId: 'getStorage',
    summary: 'Get disk usage',
    description: 'Returns the size and the free space of the workspace roots.',
    access: 'viewer',
    replies: { 200: storageSchema },
    handle: async ({ caller }, ports) => reply(200, await describeStorage(ports, caller)),
  }),
  route({
    method: 'GET',
    path: '/api/system/folders',
    operationId: 'listFolders',
    summary: 'List the folders that can become workspaces',
    description:
      'Returns the workspace roots, or the folders in a folder inside them. Files, hidden folders, symbolic links, folders of the service, and workspaces that you cannot access are left out. Only for callers who can create workspaces.',
    access: 'member',
    query: foldersQuery,
    replies: { 200: foldersSchema },
    errors: [...PATH_ERRORS, 'path_outside_roots', 'workspace_scoped_token'],
    handle: async ({ query, caller }, ports) => reply(200, await listFolders(ports, caller, query.path)),
  }),
];
