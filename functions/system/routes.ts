import * as z from 'zod';
import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { type NetworkSpeed, networkSchema, storageSchema } from '../../lib/system/schema.ts';
import { describeStorage, type StoragePorts } from '../../lib/system/storage.ts';

export interface SystemPorts extends HttpPorts, StoragePorts {
  version: string;
  aiAvailable: boolean;
  login: Login | undefined;
  measureNetwork(): Promise<NetworkSpeed>;
}

/** What a page must know to send people to the issuer. Nothing of it is secret. */
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
  status: z.literal('ok'),
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
    handle: async (_input, { version, aiAvailable, login }) =>
      reply(200, { status: 'ok' as const, version, aiAvailable, ...(login && { login }) }),
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
    handle: async (_input, ports) => reply(200, await describeStorage(ports)),
  }),
];
