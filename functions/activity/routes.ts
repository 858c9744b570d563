import * as z from 'zod';
import { pageActivities } from '../../lib/activity/list.ts';
import { activitySchema } from '../../lib/activity/schema.ts';
import { pageHeaders, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { pageQuery } from '../../lib/records/page.ts';
import { workspaceParams } from '../../lib/workspaces/schema.ts';

const route = routeFor<HttpPorts>();

export const activityRoutes = [
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/activity',
    summary: 'What happened in a workspace, newest first',
    description: 'Kept for 400 days. Reports are written from it.',
    access: 'viewer',
    params: workspaceParams,
    query: pageQuery,
    replies: { 200: z.array(activitySchema) },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, query }, { records }) {
      const page = await pageActivities(records, workspace.id, query);
      return reply(200, page.items, pageHeaders(page));
    },
  }),
];
