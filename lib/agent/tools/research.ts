import * as z from 'zod';
import { defineTool, type ToolContext } from './tool.ts';

const input = z.strictObject({
  question: z.string().trim().min(1).max(2000),
  depth: z.enum(['quick', 'standard', 'deep']).default('quick'),
  papers: z.boolean().default(false).describe('Whether to also search, fetch, and save scholarly papers.'),
  language: z.enum(['en', 'zh-CN']).default('en').describe('Language of the report.'),
});

/** Starts reports. lib/research is in a higher layer, so its functions are injected. */
export type BeginResearch = (
  wanted: z.output<typeof input>,
  context: ToolContext,
) => Promise<{ runId: string; estimate: { calls: number; costUsd: number | null } }>;

export function researchTool({ beginResearch }: { beginResearch: BeginResearch }) {
  return defineTool({
    name: 'research',
    description:
      "Starts a research report on a question: sub-questions, evidence with exact quotes, and sentences that are each checked against their quotes. It runs in the background for minutes and becomes a note; do not wait for it. It needs a person's approval, because it costs many model calls.",
    input,
    inEveryMode: false,
    ruled: { kind: 'text', argument: ({ question }) => question },
    approval: {
      needed: () => true,
      describe: async ({ question, depth, papers }) =>
        `Write a ${depth} research report${papers ? ', including scientific papers' : ''}: ${question}`,
    },
    timeoutMs: 30_000,
    async run(wanted, context) {
      const { runId, estimate } = await beginResearch(wanted, context);
      return {
        runId,
        estimate,
        follow: `GET /api/research/${runId} returns its progress, and its note when it is done.`,
      };
    },
  });
}
