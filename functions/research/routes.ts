import { Readable } from 'node:stream';
import type { Caller } from '../../lib/access/caller.ts';
import { contentDisposition } from '../../lib/http/content-disposition.ts';
import { reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { BEGIN_RESEARCH_ERRORS, beginResearch, goOnFrom } from '../../lib/research/begin.ts';
import { describeDepths } from '../../lib/research/depths.ts';
import { exportReport } from '../../lib/research/export.ts';
import { readExtracts } from '../../lib/research/extracts/read-extracts.ts';
import {
  answerPlan,
  describeResearch,
  findEarlier,
  findResearch,
  REPORT_ERRORS,
  readReport,
} from '../../lib/research/find-research.ts';
import {
  depthsQuery,
  depthsSchema,
  furtherBody,
  planBody,
  refreshBody,
  reportExportQuery,
  researchBody,
  researchParams,
  researchSchema,
  startedSchema,
} from '../../lib/research/request-schema.ts';
import { APPROVAL_ERRORS } from '../../lib/runs/approvals.ts';
import type { BeginPorts } from '../../lib/runs/ports.ts';
import { runUsage } from '../../lib/runs/run-usage.ts';

const route = routeFor<BeginPorts>();
const path = '/api/research/{runId}';

async function goOn(
  ports: BeginPorts,
  caller: Caller,
  runId: string,
  wanted: Parameters<typeof goOnFrom>[4],
) {
  const { asked, ...before } = await findEarlier(ports.records, caller, runId);
  return reply(202, await goOnFrom(ports, caller, asked, before, wanted));
}

export const researchRoutes = [
  route({
    method: 'GET',
    path: '/api/research',
    operationId: 'listResearchDepths',
    summary: 'List research depths',
    description: 'Returns what a report of each depth reads, and its maximum usage and cost.',
    access: 'member',
    query: depthsQuery,
    replies: { 200: depthsSchema },
    errors: ['model_not_configured'],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, query, caller }, { openModel, prices }) {
      const { model } = openModel(runUsage({ caller, workspaceId: workspace.id }));
      return reply(200, describeDepths(query.sources, model, prices));
    },
  }),
  route({
    method: 'POST',
    path: '/api/research',
    operationId: 'startResearch',
    summary: 'Start a research report',
    description:
      'Writes a report whose sentences are checked against exact quotes from your sources. The run continues in the background. Follow it with `GET /api/agent/runs/{runId}/stream`, which sends the parts `data-plan`, `data-evidence`, `data-section`, `data-check`, `data-report`, and, every few seconds, `data-progress`. Stop it with `POST /api/agent/runs/{runId}/stop`. The report becomes a note, except about several workspaces: it is then readable only for people who can read all of them, and is stored for 30 days.',
    access: 'member',
    body: researchBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      question: 'When do owls hunt?',
      depth: 'quick',
      approvePlan: true,
    },
    replies: { 202: startedSchema },
    errors: [...BEGIN_RESEARCH_ERRORS],
    workspace: ({ body }) => body.workspaceId ?? body.workspaceIds ?? '',
    handle: async ({ workspace, body, caller }, ports) =>
      reply(202, await beginResearch(ports, caller, workspace, body)),
  }),
  route({
    method: 'GET',
    path,
    operationId: 'getResearch',
    summary: 'Get a research report',
    description: 'Returns the status, plan, evidence, sections, counts, and cost of the report.',
    access: 'viewer',
    params: researchParams,
    replies: { 200: researchSchema },
    errors: [...REPORT_ERRORS, 'disk_full'],
    async handle({ params, caller }, ports) {
      const found = await findResearch(ports.records, caller, params.runId);
      return reply(200, await describeResearch(ports, found));
    },
  }),
  route({
    method: 'GET',
    path: `${path}/export`,
    operationId: 'exportResearch',
    summary: 'Export a research report',
    description:
      'Returns the report as Markdown, HTML, or DOCX, its bibliography as BibTeX or CSL-JSON, or a ZIP file with the report, the passages around its quotes, and a manifest of hashes that `sha256sum -c` checks.',
    access: 'viewer',
    params: researchParams,
    query: reportExportQuery,
    replyHeaders: ['content-disposition'],
    replies: { 200: { mediaType: '*/*', description: 'File in the requested format.' } },
    errors: [...REPORT_ERRORS, 'report_not_ready'],
    async handle({ params, query, caller }, ports) {
      const found = await findResearch(ports.records, caller, params.runId);
      const { format } = query;
      const report = await readReport(ports.records, found);
      const extracts = format === 'zip' ? await readExtracts(ports.records, found.run.id) : undefined;
      const { bytes, contentType, name } = await exportReport(report, format, extracts);
      return reply(200, Readable.from([bytes]), {
        'content-type': contentType,
        'content-disposition': contentDisposition(name),
      });
    },
  }),
  route({
    method: 'POST',
    path: `${path}/plan`,
    operationId: 'answerResearchPlan',
    summary: 'Approve, edit, or reject a research plan',
    description: 'Only the caller who started the run can answer, and only once.',
    access: 'member',
    params: researchParams,
    body: planBody,
    example: { questions: [{ question: 'Which owls hunt by day?', keywords: ['diurnal'] }] },
    replies: { 200: researchSchema },
    errors: [...APPROVAL_ERRORS, ...REPORT_ERRORS, 'plan_not_waiting'],
    async handle({ params, body, caller }, ports) {
      const found = await findResearch(ports.records, caller, params.runId);
      await answerPlan(ports, caller, found, body);
      return reply(200, await describeResearch(ports, found));
    },
  }),
  route({
    method: 'POST',
    path: `${path}/continue`,
    operationId: 'continueResearch',
    summary: 'Ask a follow-up question about a report',
    description: 'Answers the question from the evidence of the report.',
    access: 'member',
    params: researchParams,
    body: furtherBody,
    example: { question: 'And where do they nest?' },
    replies: { 202: startedSchema },
    errors: [...BEGIN_RESEARCH_ERRORS, ...REPORT_ERRORS, 'report_not_ready'],
    handle: ({ params, body, caller }, ports) => goOn(ports, caller, params.runId, body),
  }),
  route({
    method: 'POST',
    path: `${path}/refresh`,
    operationId: 'refreshResearch',
    summary: 'Refresh a research report',
    description: 'Rewrites the report from the sources that changed since then, and says what is new.',
    access: 'member',
    params: researchParams,
    body: refreshBody,
    example: { budget: { minutes: 20 } },
    bodyOptional: true,
    replies: { 202: startedSchema },
    errors: [...BEGIN_RESEARCH_ERRORS, ...REPORT_ERRORS, 'report_not_ready'],
    handle: ({ params, body, caller }, ports) => goOn(ports, caller, params.runId, body ?? {}),
  }),
];
