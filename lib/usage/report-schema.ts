import * as z from 'zod';

const day = z.iso.date().describe('UTC, YYYY-MM-DD');
const usageGroupSchema = z
  .enum(['day', 'caller', 'workspace', 'model', 'kind'])
  .meta({ title: 'UsageGroup' });
export type UsageGroup = z.infer<typeof usageGroupSchema>;

export const usageQuery = z.object({
  from: day.optional().describe('UTC, YYYY-MM-DD; default: the first of the month'),
  to: day.optional().describe('that day too; default: today'),
  groupBy: usageGroupSchema.default('day'),
});
export type UsageQuery = z.infer<typeof usageQuery>;

const sums = {
  inputTokens: z.int(),
  outputTokens: z.int(),
  embeddedTokens: z.int(),
  calls: z.int().describe('of models, embedders, rerankers and commands'),
  commandSeconds: z.number(),
  costUsd: z.number().nullable().describe('of what has a price; null: nothing in it has'),
  unpricedTokens: z.int().describe('of models without a price: they are not in costUsd'),
  estimatedTokens: z.int().describe('that no provider counted'),
};
const sumsSchema = z.strictObject(sums).meta({ title: 'UsageSums' });
export type UsageSums = z.infer<typeof sumsSchema>;

export const usageSchema = z
  .strictObject({
    from: day,
    to: day,
    rows: z.array(z.strictObject({ key: z.string(), ...sums })),
    totals: sumsSchema,
    unpricedModels: z.array(z.string()),
  })
  .meta({ id: 'Usage' });
export type UsageAnswer = z.infer<typeof usageSchema>;
