import * as z from 'zod';
import { InvalidInput } from '../../errors.ts';
import { toolPath, workspacePath } from './path.ts';
import { defineTool, type ToolContext } from './tool.ts';

/** The check of a draft as the tool shows it. */
interface ShownCheck {
  status: string;
  error: string | null;
  counts: Record<string, number>;
  sentences: { n: number; text: string; verdict: string; reason: string; citations: ShownCitation[] }[];
}

interface ShownCitation {
  path: string;
  startLine: number;
  endLine: number;
  quote: string;
}

/** Starts and reads checks of drafts. lib/verify is in a higher layer, so its functions are injected. */
export interface DraftChecks {
  begin(
    wanted: { path?: string | undefined; text?: string | undefined; judge: false },
    context: ToolContext,
  ): Promise<{ runId: string }>;
  read(runId: string, context: ToolContext): Promise<ShownCheck>;
}

const input = z.strictObject({
  path: toolPath.optional().describe('Draft to check: DOCX, Markdown, LaTeX, HTML, or plain text.'),
  text: z.string().min(1).max(100_000).optional().describe('Text to check, instead of a file.'),
  runId: z.string().max(64).optional().describe('Check that was started before, to get its result.'),
});

/** Verdicts that the model should mention. */
const TO_SHOW = new Set(['contradicted', 'not_found', 'partial']);

export function verifyDraftTool({ draftChecks }: { draftChecks: DraftChecks }) {
  return defineTool({
    name: 'verifyDraft',
    description:
      'Checks each claim of a draft against the indexed files of the workspace. It compares them by code, changes nothing, and costs no model call. It runs in the background: the first call, with `path` or `text`, returns a runId; a later call with that runId returns the counts, and the claims that the files do not fully support, with quotes.',
    input,
    inEveryMode: false,
    ruled: { kind: 'text', argument: ({ path, text, runId }) => path ?? text ?? runId ?? '' },
    timeoutMs: 60_000,
    async run({ path, text, runId }, context) {
      if (runId !== undefined) return show(await draftChecks.read(runId, context));
      if (path === undefined && text === undefined)
        throw new InvalidInput('missing_value', 'path is required, or text, or runId.', { field: 'path' });
      const named = path === undefined ? { text } : { path: workspacePath(context, path) };
      const started = await draftChecks.begin({ ...named, judge: false }, context);
      return { ...started, follow: 'Call verifyDraft with this runId to get the result.' };
    },
    rest: () => 'GET /api/verify/{runId} has the rest.',
  });
}

function show({ status, error, counts, sentences }: ShownCheck) {
  const found = sentences.filter(({ verdict }) => TO_SHOW.has(verdict));
  return {
    ...{ status, error: error ?? undefined, counts },
    claims: found.map(({ n, text, verdict, reason, citations }) => ({
      ...{ n, text, verdict, reason },
      quotes: citations.map(({ path, startLine, endLine, quote }) => ({ path, startLine, endLine, quote })),
    })),
  };
}
