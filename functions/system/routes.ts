import * as z from 'zod';
import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import type { DiskState } from '../../lib/system/disk-state.ts';
import { type NetworkSpeed, networkSchema, storageSchema } from '../../lib/system/schema.ts';
import { describeStorage, type StoragePorts } from '../../lib/system/storage.ts';

export interface SystemPorts extends HttpPorts, StoragePorts {
  version: string;
  aiAvailable: boolean;
  login: Login | undefined;
  measureNetwork(): Promise<NetworkSpeed>;
  /** Undefined if the disks have no limit. */
  watchDisk: (() => Promise<DiskState>) | undefined;
}

/** What a page needs to send users to the issuer. Nothing in it is secret. */
const loginSchema = z
  .strictObject({
    issuer: z.string(),
    clientId: z.string(),
    scope: z.string(),
    audience: z.string(),
  })
  .meta({ id: 'Login' });
type Login = z.infer<typeof loginSchema>;

const healthSchema = z.strictObject({
  status: z
    .enum(['ok', 'degraded'])
    .describe('`degraded` while the disk is full: reading works, writing answers 507.'),
  disk: z.enum(['ok', 'low', 'full']).optional().describe('The room on the disks, on one machine.'),
  version: z.string(),
  aiAvailable: z.boolean(),
  login: loginSchema.optional().describe('with OIDC_CLIENT_ID: for the console, code with PKCE'),
});

const route = routeFor<SystemPorts>();

export const systemRoutes = [
  route({
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service runs, and whether AI is configured',
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
    path: '/api/system/network',
    summary: 'How much goes through the network interfaces of this machine',
    access: 'viewer',
    replies: { 200: networkSchema },
    handle: async (_input, { measureNetwork }) => reply(200, await measureNetwork()),
  }),
  route({
    method: 'GET',
    path: '/api/system/storage',
    summary: 'The room in the roots of the workspaces',
    access: 'viewer',
    replies: { 200: storageSchema },
    handle: async ({ caller }, ports) => reply(200, await describeStorage(ports, caller)),
  }),
];
