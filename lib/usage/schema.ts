import { createHash } from 'node:crypto';
import * as z from 'zod';
import { collection } from '../records/collection.ts';

/** Purpose of the usage. `embedding`: indexing a workspace's files; `search`: without a chat. */
const useKindSchema = z.enum([
  'chat',
  'agent',
  'bots',
  'tasks',
  'generate',
  'search',
  'embedding',
  'terminal',
]);
export type UseKind = z.infer<typeof useKindSchema>;

/** For whom, where, and for what. */
export interface Use {
  /** The ID of the responsible caller: for a scheduled task, its last editor. */
  callerId: string;
  /** Null: in no workspace. */
  workspaceId: string | null;
  kind: UseKind;
}

const count = z.int().min(0).default(0);

const amountsSchema = z.object({
  /** Number of calls, including failed ones: of the model, the embedder, the reranker, the entailment model, or commands. */
  calls: count,
  inputTokens: count,
  outputTokens: count,
  embeddedTokens: count,
  embeddedTexts: count,
  /** Documents that a reranker read. */
  rerankedTexts: count,
  commandMs: count,
  /** The part of the tokens above that no provider counted, estimated from the length of the texts. */
  estimatedTokens: count,
});
export type Amounts = z.infer<typeof amountsSchema>;

const daySchema = amountsSchema.extend({
  /** The day (UTC, YYYY-MM-DD) on which the calls ended. */
  day: z.string(),
  callerId: z.string(),
  workspaceId: z.string().nullable(),
  kind: useKindSchema,
  /** Empty for commands. */
  model: z.string(),
  expiresAt: z.int(),
});
export type UseOfDay = z.infer<typeof daySchema>;
type DayId = Pick<UseOfDay, 'day' | 'callerId' | 'workspaceId' | 'kind' | 'model'>;

/** The usage per day, caller, workspace, purpose, and model: all other sums are computed from these. */
export const daysOfUse = collection({
  kind: 'use-of-day',
  schema: daySchema,
  key: ({ day, callerId, workspaceId, kind, model }: DayId) => ({
    partition: usePartition(day),
    sort: digest([callerId, workspaceId, kind, model]),
  }),
  expiresAt: (use) => use.expiresAt,
});

export function usePartition(day: string): string {
  return `USE#${day}`;
}

/** Subject of a month's usage: the service, a workspace, or a caller. */
export const budgetScopeSchema = z.enum(['service', 'workspace', 'caller']).meta({ title: 'BudgetScope' });
export type BudgetScope = z.infer<typeof budgetScopeSchema>;

const monthSchema = amountsSchema.extend({
  /** UTC, YYYY-MM. */
  month: z.string(),
  scope: budgetScopeSchema,
  /** The id of the workspace or the caller; `service`. */
  id: z.string(),
  model: z.string(),
  expiresAt: z.int(),
});
export type UseOfMonth = z.infer<typeof monthSchema>;
type MonthId = Pick<UseOfMonth, 'month' | 'scope' | 'id' | 'model'>;

/** Usage by model, because each has its own price: a budget is compared with a handful of records. */
export const monthsOfUse = collection({
  kind: 'use-of-month',
  schema: monthSchema,
  key: ({ model, ...of }: MonthId) => ({ partition: monthPartition(of), sort: digest([model]) }),
  expiresAt: (use) => use.expiresAt,
});

export function monthPartition({ month, scope, id }: Pick<MonthId, 'month' | 'scope' | 'id'>): string {
  return `USE_OF_MONTH#${month}#${scope}#${id}`;
}

/** Names of models and callers may be long and contain anything. */
function digest(parts: (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
