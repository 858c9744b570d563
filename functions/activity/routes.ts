import * as z from 'zod';
import { pageActivities } from '../../lib/activity/list.ts';
import { activitySchema } from '../../lib/activity/schema.ts';
import { toCsv } from '../../lib/audit/export.ts';
import { listAudit } from '../../lib/audit/list.ts';
import { auditEntrySchema, auditQuery } from '../../lib/audit/schema.ts';
import { pageHeaders, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { pageQuery } from '../../lib/records/page.ts';
import { listBudgets, replaceBudgets } from '../../lib/usage/budgets/list.ts';
import { budgetStateSchema, budgetsBody } from '../../lib/usage/budgets/schema.ts';
import type { UseViewPorts } from '../../lib/usage/ports.ts';
import { reportUse } from '../../lib/usage/report.ts';
import { usageQuery, usageSchema } from '../../lib/usage/report-schema.ts';
import { workspaceParams, workspaces } from '../../lib/workspaces/schema.ts';

const AUDIT_HELP =
  'For administrators whose credential is bound to no workspaces. Written down before it is done, and kept for 400 days. ' +
  'Where few entries fit, a page may be short and have a cursor all the same.';

const route = routeFor<HttpPorts & UseViewPorts>();

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
  route({
    method: 'GET',
    path: '/api/usage',
    summary: 'What was used in a span of days, and what it cost',
    description:
      'Days and months are those of UTC; kept for 400 days, at most 366 at once. Everybody sees his own use, members that of ' +
      'their workspaces too (other people together, as `others`), administrators each caller there, and those who are bound to no ' +
      'workspaces everything. Prices are those of the settings; calls of rerankers and commands have none.',
    access: 'viewer',
    query: usageQuery,
    replies: { 200: usageSchema },
    handle: async ({ query, caller }, ports) => reply(200, await reportUse(ports, caller, query)),
  }),
  route({
    method: 'GET',
    path: '/api/budgets',
    summary: 'Budgets of the month, and what is used of them',
    description:
      'From 80 % on chats and runs say so by a `data-notice` with the code `budget-near`; when it is used up, what would call a ' +
      'model is refused with 429, the day on which it resets, and `retry-after`. Search goes on by words, a sync without vectors, ' +
      'and settings and budgets can always be changed. Everybody sees his own and those of his workspaces; administrators who ' +
      'are bound to no workspaces all.',
    access: 'viewer',
    replies: { 200: z.array(budgetStateSchema) },
    async handle({ caller }, ports) {
      const { states, etag } = await listBudgets(ports, caller);
      return reply(200, states, { etag });
    },
  }),
  route({
    method: 'PUT',
    path: '/api/budgets',
    summary: 'Replace all budgets',
    description:
      'In force within 10 seconds everywhere. A workspace must be there; a caller need not be known yet. For administrators whose credential is bound to no workspaces.',
    access: 'admin',
    body: budgetsBody,
    audit: 'budgets.change',
    auditAbout: ({ body }) =>
      body
        .map(({ scope, id, monthlyUsd, monthlyTokens }) =>
          [scope, id, monthlyUsd && `$${monthlyUsd}`, monthlyTokens && `${monthlyTokens} tokens`]
            .filter(Boolean)
            .join(' '),
        )
        .join(', '),
    example: [
      { scope: 'service', monthlyUsd: 50 },
      { scope: 'caller', id: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11', monthlyTokens: 2_000_000 },
    ],
    replies: { 200: z.array(budgetStateSchema) },
    refusals: [409],
    takesMatch: true,
    async handle({ body: budgets, caller, headers }, ports) {
      const isWorkspace = async (id: string) => (await workspaces.get(ports.records, { id })) !== undefined;
      const change = { budgets, ifMatch: headers['if-match'] };
      const { states, etag } = await replaceBudgets({ ...ports, isWorkspace }, caller, change);
      return reply(200, states, { etag });
    },
  }),
  route({
    method: 'GET',
    path: '/api/audit',
    summary: 'Who did what to settings, tokens, people, rules, budgets and what was deleted, newest first',
    description: AUDIT_HELP,
    access: 'admin',
    query: auditQuery,
    replies: { 200: z.array(auditEntrySchema) },
    async handle({ query, caller }, { records }) {
      const page = await listAudit(records, caller, query);
      return reply(200, page.items, pageHeaders(page));
    },
  }),
  route({
    method: 'GET',
    path: '/api/audit/export',
    summary: 'The same as a table',
    description: `${AUDIT_HELP} A table goes on behind \`x-next-cursor\`, as a list does.`,
    access: 'admin',
    query: auditQuery,
    replies: {
      200: {
        mediaType: 'text/csv',
        description: 'RFC 4180; what a program would take for a formula begins with an apostrophe',
      },
    },
    async handle({ query, caller }, { records }) {
      const page = await listAudit(records, caller, query);
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit.csv"',
      };
      return reply(200, toCsv(page.items), { ...headers, ...pageHeaders(page) });
    },
  }),
];
