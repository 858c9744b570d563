import * as z from 'zod';
import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';

export interface SystemPorts extends HttpPorts {
  version: string;
  aiAvailable: boolean;
}

const route = routeFor<SystemPorts>();

export const systemRoutes = [
  route({
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service runs, and whether AI is configured',
    access: 'public',
    replies: {
      200: z.strictObject({ status: z.literal('ok'), version: z.string(), aiAvailable: z.boolean() }),
    },
    handle: async (_input, { version, aiAvailable }) =>
      reply(200, { status: 'ok' as const, version, aiAvailable }),
  }),
];
