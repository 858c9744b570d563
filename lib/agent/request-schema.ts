import * as z from 'zod';
import { conversationIdSchema } from '../conversations/schema.ts';
import { idSchema } from '../identifiers.ts';
import { judgeChoice } from '../retrieval/cite/judge-citations.ts';
import { modeSchema } from '../runs/schema.ts';
import { clientFields, isWholeChoice, uiMessageSchema, WHOLE_CHOICE } from '../ui-messages/ui-message.ts';

const MAX_MESSAGES = 400;
const MAX_PARAMETERS = 50;

const messages = z.array(uiMessageSchema).min(1).max(MAX_MESSAGES);

export const agentBody = z
  .strictObject({
    messages,
    workspaceId: idSchema,
    cwd: z
      .string()
      .max(4096)
      .describe('Working directory, absolute or relative to the workspace. It must be inside the workspace.'),
    mode: modeSchema.default('agent'),
    skillId: idSchema.optional().describe('ID or slug of the skill that the run follows.'),
    paramValues: z
      .record(z.string().max(100), z.union([z.string().max(10_000), z.number(), z.boolean()]))
      .refine(
        (values) => Object.keys(values).length <= MAX_PARAMETERS,
        `must have at most ${MAX_PARAMETERS} values`,
      )
      .optional()
      .describe('Values of the parameters of the skill, by name.'),
    ...clientFields,
    judge: judgeChoice,
    id: conversationIdSchema
      .optional()
      .describe(
        'ID of the conversation that the run belongs to. Without it, the run starts a new conversation.',
      ),
  })
  .refine(isWholeChoice, WHOLE_CHOICE);
export type AgentBody = z.output<typeof agentBody>;

export const summarizeBody = z.strictObject({
  workspaceId: idSchema,
  messages,
  trigger: z.string().max(100).optional().describe('Cause of the request, such as `clear`.'),
  preview: z.boolean().default(false).describe('Whether to return the summary without saving it as a note.'),
  locale: z.string().max(20).default('en').describe('Language of the summary, such as `en` or `zh-CN`.'),
});
export type SummarizeBody = z.output<typeof summarizeBody>;
