import * as z from 'zod';
import { idSchema } from '../../identifiers.ts';
import { beginResearch } from '../../research/begin.ts';
import { describeResearch, findResearch, readReport } from '../../research/find-research.ts';
import { researchWish } from '../../research/request-schema.ts';
import { toMarkdown } from '../../research/result/markdown.ts';
import { toolFilter } from '../../retrieval/filter/filter-schema.ts';
import type { McpPorts } from '../ports.ts';
import { findAllNamed, NAMES_WORKSPACES, namedFields } from './find-workspace.ts';
import { defineMcpTool, type McpTool, READS } from './tool.ts';

export function researchTools(ports: McpPorts): McpTool[] {
  return [startResearchTool(ports), getReportTool(ports)];
}

const { question, sources, depth, language } = researchWish.shape;

function startResearchTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'start_research',
    title: 'Start a research report',
    description:
      'Starts a report on a question about the files of one or several workspaces (and papers, if `sources` includes them) whose sentences are checked against exact quotes. It runs in the background for minutes: get_report returns its status and the report. Returns the expected cost.',
    access: 'member',
    input: z
      .strictObject({ ...namedFields, question, sources, filter: toolFilter, depth, language })
      .refine(...NAMES_WORKSPACES),
    hints: { readOnly: false, destructive: false, openWorld: true },
    foreign: false,
    async run({ workspaceId, workspaceIds, ...wanted }, context) {
      const asked = await findAllNamed(ports, context, { workspaceId, workspaceIds });
      return beginResearch(ports, context.caller, asked, {
        ...wanted,
        addresses: [],
        approvePlan: false,
      });
    },
  });
}

function getReportTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'get_report',
    title: 'Get a research report',
    description:
      'Returns the status of a research report. Once it is done, also returns the report as Markdown with its quotes as footnotes.',
    access: 'viewer',
    input: z.strictObject({ runId: idSchema.describe('ID of a run from start_research.') }),
    hints: READS,
    foreign: true,
    async run({ runId }, { caller }) {
      const found = await findResearch(ports.records, caller, runId);
      const { status, error, plan, counts, costUsd, noteId } = await describeResearch(ports, found);
      const report = status === 'done' ? toMarkdown(await readReport(ports.records, found)) : undefined;
      const questions = plan?.questions.map((each) => each.question);
      return { status, error: error ?? undefined, questions, counts, costUsd, noteId, report };
    },
    rest: 'Use read_note with this noteId, or GET /api/research/{runId}/export.',
  });
}
