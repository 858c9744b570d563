import { Readable } from 'node:stream';
import type { Caller } from '../../lib/access/caller.ts';
import { runUsage } from '../../lib/agent/run-usage.ts';
import { reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { beginResearch, goOnFrom } from '../../lib/research/begin.ts';
import { describeDepths } from '../../lib/research/depths.ts';
import { exportReport } from '../../lib/research/export.ts';
import {
  answerPlan,
  describeResearch,
  findEarlier,
  findResearch,
  readReport,
} from '../../lib/research/find-research.ts';
import type { BeginPorts } from '../../lib/research/ports.ts';
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

const route = routeFor<BeginPorts>();
const path = '/api/research/{runId}';

async function goOn(
  ports: BeginPorts,
  caller: Caller,
  runId: string,
  wanted: Parameters<typeof goOnFrom>[4],
) {
  const { workspace, ...before } = await findEarlier(ports.records, caller, runId);
  return reply(202, await goOnFrom(ports, caller, workspace, before, wanted));
}

export const researchRoutes = [
  route({
    method: 'GET',
    path: '/api/research',
    summary: 'The depths of a report: what each reads, and takes at the most',
    access: 'member',
    query: depthsQuery,
    replies: { 200: depthsSchema },
    refusals: [404, 503],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, query, caller }, { openModel, prices }) {
      const { model } = openModel(runUsage({ caller, workspaceId: workspace.id }));
      return reply(200, describeDepths(query.sources, model, prices));
    },
  }),
  route({
    method: 'POST',
    path: '/api/research',
    summary: 'Begin a report in which every sentence stands on a quote that exists',
    description:
      'The run is worked on in the background; follow it at `GET /api/agent/runs/{runId}/stream` (parts `data-plan`, `data-evidence`, `data-section`, `data-check`, `data-report`, and `data-progress` every few seconds), stop it at `POST /api/agent/runs/{runId}/stop`. The report becomes a note.',
    access: 'member',
    body: researchBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      question: 'When do owls hunt?',
      depth: 'quick',
      approvePlan: true,
    },
    replies: { 202: startedSchema },
    refusals: [404, 503],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(202, await beginResearch(ports, caller, workspace, body)),
  }),
  route({
    method: 'GET',
    path,
    summary: 'How far a report is: its plan, evidence, sections, counts and cost',
    access: 'viewer',
    params: researchParams,
    replies: { 200: researchSchema },
    refusals: [404],
    async handle({ params, caller }, ports) {
      const found = await findResearch(ports.records, caller, params.runId);
      return reply(200, await describeResearch(ports, found));
    },
  }),
  route({
    method: 'GET',
    path: `${path}/export`,
    summary: 'The report as Markdown, HTML or DOCX, or its bibliography as BibTeX or CSL-JSON',
    access: 'viewer',
    params: researchParams,
    query: reportExportQuery,
    replies: { 200: { mediaType: '*/*', description: 'A file of the format' } },
    refusals: [404, 409],
    async handle({ params, query, caller }, ports) {
      const found = await findResearch(ports.records, caller, params.runId);
      const { bytes, contentType, name } = await exportReport(
        await readReport(ports.records, found),
        query.format,
      );
      return reply(200, Readable.from([bytes]), {
        'content-type': contentType,
        'content-disposition': `attachment; filename="${name}"`,
      });
    },
  }),
  route({
    method: 'POST',
    path: `${path}/plan`,
    summary: 'Approve the plan that a run waits with, as it is or edited; only who began it can, and once',
    access: 'member',
    params: researchParams,
    body: planBody,
    example: { questions: [{ question: 'Which owls hunt by day?', keywords: ['diurnal'] }] },
    replies: { 200: researchSchema },
    refusals: [404, 409],
    async handle({ params, body, caller }, ports) {
      const found = await findResearch(ports.records, caller, params.runId);
      await answerPlan(ports, caller, found, body);
      return reply(200, await describeResearch(ports, found));
    },
  }),
  route({
    method: 'POST',
    path: `${path}/continue`,
    summary: 'Answer a further question over the evidence of a report',
    access: 'member',
    params: researchParams,
    body: furtherBody,
    example: { question: 'And where do they nest?' },
    replies: { 202: startedSchema },
    refusals: [404, 409, 503],
    handle: ({ params, body, caller }, ports) => goOn(ports, caller, params.runId, body),
  }),
  route({
    method: 'POST',
    path: `${path}/refresh`,
    summary: 'Write the report anew from what has changed since, and say what that is',
    access: 'member',
    params: researchParams,
    body: refreshBody,
    example: { budget: { minutes: 20 } },
    bodyOptional: true,
    replies: { 202: startedSchema },
    refusals: [404, 409, 503],
    handle: ({ params, body, caller }, ports) => goOn(ports, caller, params.runId, body ?? {}),
  }),
];
