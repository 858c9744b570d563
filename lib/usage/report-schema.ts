import * as z from 'zod';
import { dayField } from '../validation/pasted-fields.ts';

const day = dayField.describe('Date (UTC) in the form YYYY-MM-DD.');
const usageGroupSchema = z
  .enum(['day', 'caller', 'workspace', 'model', 'kind'])
  .meta({ title: 'UsageGroup' });
export type UsageGroup = z.infer<typeof usageGroupSchema>;

export const usageQuery = z.object({
  from: day
    .optional()
    .describe('First day of the range (UTC), in the form YYYY-MM-DD. Defaults to the first of the month.'),
  to: day.optional().describe('Last day of the range (UTC), inclusive. Defaults to today.'),
  groupBy: usageGroupSchema.default('day').describe('Grouping of the rows.'),
});
export type UsageQuery = z.infer<typeof usageQuery>;

const sums = {
  inputTokens: z.int().describe('Number of tokens sent to models.'),
  outputTokens: z.int().describe('Number of tokens that models generated.'),
  embeddedTokens: z.int().describe('Number of tokens sent to the embedding service.'),
  calls: z
    .int()
    .describe('Number of calls to models, embedding services, rerankers, entailment models, and commands.'),
  commandSeconds: z.number().describe('Duration of all commands, in seconds.'),
  costUsd: z
    .number()
    .nullable()
    .describe('Cost in USD of everything that has a price. Null if nothing has a price.'),
  unpricedTokens: z
    .int()
    .describe('Number of tokens of models without a price. They are not included in `costUsd`.'),
  estimatedTokens: z
    .int()
    .describe('Number of tokens that were estimated because no provider reported them.'),
};
const sumsSchema = z.strictObject(sums).meta({ title: 'UsageSums' });
export type UsageSums = z.infer<typeof sumsSchema>;

export const usageSchema = z
  .strictObject({
    from: day,
    to: day,
    rows: z
      .array(
        z.strictObject({
          key: z.string().describe('Day, caller ID, workspace ID, model, or kind of the row, by `groupBy`.'),
          name: z.string().optional().describe('Name of the caller, with `groupBy=caller`, if one is known.'),
          ...sums,
        }),
      )
      .describe('Usage per group.'),
    totals: sumsSchema,
    unpricedModels: z.array(z.string()).describe('Names of used models that have no price.'),
  })
  .meta({ id: 'Usage' });
export type UsageAnswer = z.infer<typeof usageSchema>;
