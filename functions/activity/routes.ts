import * as z from 'zod';
import { pageActivities } from '../../lib/activity/list.ts';
import { activitySchema } from '../../lib/activity/schema.ts';
import { toCsv } from '../../lib/audit/export.ts';
import { listAudit } from '../../lib/audit/list.ts';
import { auditQuery, shownEntrySchema } from '../../lib/audit/schema.ts';
import { pageHeaders, reply, replyPage } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { withNames } from '../../lib/people/names.ts';
import type { Records } from '../../lib/ports/records.ts';
import { pageQuery } from '../../lib/records/page.ts';
import { listBudgets, replaceBudgets } from '../../lib/usage/budgets/list.ts';
import { type BudgetState, budgetStateSchema, budgetsBody } from '../../lib/usage/budgets/schema.ts';
import type { UseViewPorts } from '../../lib/usage/ports.ts';
import { reportUse } from '../../lib/usage/report.ts';
import { usageQuery, usageSchema } from '../../lib/usage/report-schema.ts';
import { workspaceParams, workspaces } from '../../lib/workspaces/schema.ts';

const AUDIT_HELP =
  'Only for administrators whose credential is not bound to workspaces. Each entry is written before the action is performed, and is kept ' +
  'for 400 days. If few entries match, a page may be short and still have a cursor.';

const route = routeFor<HttpPorts & UseViewPorts>();

function named(records: Records, budgets: BudgetState[]): Promise<BudgetState[]> {
  return withNames(records, budgets, 'name', ({ scope, id }) => (scope === 'caller' ? id : undefined));
}

export const activityRoutes = [
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/activity',
    operationId: 'listActivity',
    summary: 'List the activity of a workspace',
    description:
      'Returns what happened in the workspace, newest first. Entries are kept for 400 days. Daily and weekly reports are written from them.',
    access: 'viewer',
    params: workspaceParams,
    query: pageQuery,
    replies: { 200: z.array(activitySchema) },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, query }, { records }) =>
      replyPage(await pageActivities(records, workspace.id, query)),
  }),
  route({
    method: 'GET',
    path: '/api/usage',
    operationId: 'getUsage',
    summary: 'Get usage and cost',
    description:
      'Returns usage and cost for a range of at most 366 days (UTC) within the last 400 days. You see your own usage. Members also see the usage of their workspaces, with other users combined as `others`. Administrators see each caller in their workspaces, or everything if their credential is not bound to workspaces. Costs use the prices in the settings; rerankers and commands have no price.',
    access: 'viewer',
    query: usageQuery,
    replies: { 200: usageSchema },
    errors: ['usage_range_too_large'],
    async handle({ query, caller }, ports) {
      const { rows, ...usage } = await reportUse(ports, caller, query);
      const idOf = ({ key }: { key: string }) => (query.groupBy === 'caller' ? key : undefined);
      return reply(200, { ...usage, rows: await withNames(ports.records, rows, 'name', idOf) });
    },
  }),
  route({
    method: 'GET',
    path: '/api/budgets',
    operationId: 'listBudgets',
    summary: 'List budgets',
    description:
      'Returns the monthly budgets and their current usage. From 80 %, chats and runs send a `data-notice` with the code `budget-near`. When a budget is used up, requests that would call a model return 429 with the day on which the budget resets and `retry-after`. Search continues with keywords only, a sync continues without embeddings, and settings and budgets can still be changed. You see your own budgets and those of your workspaces. Administrators whose credential is not bound to workspaces see all budgets.',
    access: 'viewer',
    replyHeaders: ['etag'],
    replies: { 200: z.array(budgetStateSchema) },
    async handle({ caller }, ports) {
      const { states, etag } = await listBudgets(ports, caller);
      return reply(200, await named(ports.records, states), { etag });
    },
  }),
  route({
    method: 'PUT',
    path: '/api/budgets',
    operationId: 'replaceBudgets',
    summary: 'Replace all budgets',
    description:
      'The change applies everywhere within 10 seconds. A workspace must exist; a caller need not be known yet. Only for administrators whose credential is not bound to workspaces.',
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
    errors: ['workspace_scoped_token'],
    takesMatch: true,
    async handle({ body: budgets, caller, headers }, ports) {
      const isWorkspace = async (id: string) => (await workspaces.get(ports.records, { id })) !== undefined;
      const change = { budgets, ifMatch: headers['if-match'] };
      const { states, etag } = await replaceBudgets({ ...ports, isWorkspace }, caller, change);
      return reply(200, await named(ports.records, states), { etag });
    },
  }),
  route({
    method: 'GET',
    path: '/api/audit',
    operationId: 'listAuditEntries',
    summary: 'List audit log entries',
    description: `Returns who changed settings, tokens, members, rules, and budgets, and what was deleted, newest first. ${AUDIT_HELP}`,
    access: 'admin',
    query: auditQuery,
    replies: { 200: z.array(shownEntrySchema) },
    errors: ['workspace_scoped_token'],
    async handle({ query, caller }, { records }) {
      const { items, ...page } = await listAudit(records, caller, query);
      const named = await withNames(records, items, 'actorName', ({ actor }) => actor);
      return replyPage({ items: named, ...page });
    },
  }),
  route({
    method: 'GET',
    path: '/api/audit/export',
    operationId: 'exportAudit',
    summary: 'Export the audit log as CSV',
    description: `${AUDIT_HELP} The table continues with \`x-next-cursor\`, like a list.`,
    access: 'admin',
    query: auditQuery,
    replyHeaders: ['content-disposition'],
    replies: {
      200: {
        mediaType: 'text/csv',
        description:
          'CSV (RFC 4180). Values that a spreadsheet would treat as a formula begin with an apostrophe.',
      },
    },
    errors: ['workspace_scoped_token'],
    async handle({ query, caller }, { records }) {
      const page = await listAudit(records, caller, query);
      const named = await withNames(records, page.items, 'actorName', ({ actor }) => actor);
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit.csv"',
      };
      return reply(200, toCsv(named), { ...headers, ...pageHeaders(page) });
    },
  }),
];
