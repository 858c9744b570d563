import * as z from 'zod';
import { idSchema } from '../../identifiers.ts';
import { toolFilter } from '../../retrieval/filter/filter-schema.ts';
import { beginCheck } from '../../verify/begin.ts';
import { describeCheck, findCheck } from '../../verify/find-check.ts';
import { verifyBody } from '../../verify/request-schema.ts';
import { toCheckMarkdown, withWorkspaceNames } from '../../verify/show-check.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { McpPorts } from '../ports.ts';
import { findAllNamed, NAMES_WORKSPACES, namedFields } from './find-workspace.ts';
import { defineMcpTool, type McpTool, READS } from './tool.ts';

export function verifyTools(ports: McpPorts): McpTool[] {
  return [verifyTool(ports), getVerificationTool(ports)];
}

const { text, path, without, judge, references } = verifyBody.shape;

function verifyTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'verify',
    title: 'Check a draft against the files',
    description:
      'Checks each claim of a draft against quotes of the indexed files of one or several workspaces. Send the draft as `text`, or the `path` of a DOCX, Markdown, LaTeX, HTML, or text file of the (first) workspace. It runs in the background: get_verification returns the verdicts. It changes no file. Only `judge` costs model calls, and only `references` sends anything to outside catalogs.',
    access: 'member',
    input: z
      .strictObject({ ...namedFields, text, path, without, judge, references, filter: toolFilter })
      .refine(...NAMES_WORKSPACES),
    hints: { readOnly: false, destructive: false, openWorld: true },
    foreign: false,
    async run({ workspaceId, workspaceIds, ...wanted }, context) {
      const found = await findAllNamed(ports, context, { workspaceId, workspaceIds });
      const workspaces = [found].flat() as [Workspace, ...Workspace[]];
      return beginCheck(ports, context.caller, workspaces, wanted);
    },
  });
}

function getVerificationTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'get_verification',
    title: 'Get the check of a draft',
    description:
      'Returns the status and the counts of a check that verify started, and the claims so far as Markdown, by their verdicts, with quotes. If the reference list was looked up, its entries follow.',
    access: 'viewer',
    input: z.strictObject({ runId: idSchema.describe('ID of a run from verify.') }),
    hints: READS,
    foreign: true,
    async run({ runId }, { caller }) {
      const found = await findCheck(ports.records, caller, runId);
      const check = await describeCheck(ports, found);
      const { status, error, counts, ended } = check;
      return {
        status,
        error: error ?? undefined,
        ended: ended ?? undefined,
        counts,
        claims: toCheckMarkdown(withWorkspaceNames(check, found.workspaces)),
      };
    },
    rest: 'Use GET /api/verify/{runId}.',
  });
}
