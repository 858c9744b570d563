import { createHash } from 'node:crypto';
import * as z from 'zod';
import { collection } from '../records/collection.ts';

/**
 * The purpose of the usage. `embedding` is indexing a workspace's files; `search` is a search without a chat.
 */
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

/** The person, the workspace, and the purpose of a call. */
export interface Use {
  /** The ID of the responsible caller. For a scheduled task, that is its last editor. */
  callerId: string;
  /** Null outside workspaces. */
  workspaceId: string | null;
  kind: UseKind;
}

const count = z.int().min(0).default(0);

const amountsSchema = z.object({
  /**
   * Number of calls, including failed ones, of the model, the embedder, the reranker, the entailment model, or
   * commands.
   */
  calls: count,
  inputTokens: count,
  outputTokens: count,
  embeddedTokens: count,
  embeddedTexts: count,
  /** Documents that a reranker read. */
  rerankedTexts: count,
  commandMs: count,
  /** The part of the tokens above that no provider counted, estimated from text lengths. */
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

/** The usage per day, caller, workspace, purpose, and model. All other sums are computed from it. */
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

/** Whose month is counted: that of the service, a workspace, or a caller. */
export const budgetScopeSchema = z.enum(['service', 'workspace', 'caller']).meta({ title: 'BudgetScope' });
export type BudgetScope = z.infer<typeof budgetScopeSchema>;

const monthSchema = amountsSchema.extend({
  /** UTC, YYYY-MM. */
  month: z.string(),
  scope: budgetScopeSchema,
  /** The ID of the workspace or the caller; `service` for the service. */
  id: z.string(),
  model: z.string(),
  expiresAt: z.int(),
});
export type UseOfMonth = z.infer<typeof monthSchema>;
type MonthId = Pick<UseOfMonth, 'month' | 'scope' | 'id' | 'model'>;

/** Monthly usage by model, because each model has its own price. A budget is compared with a handful of records. */
export const monthsOfUse = collection({
  kind: 'use-of-month',
  schema: monthSchema,
  key: ({ model, ...of }: MonthId) => ({ partition: monthPartition(of), sort: digest([model]) }),
  expiresAt: (use) => use.expiresAt,
});

export function monthPartition({ month, scope, id }: Pick<MonthId, 'month' | 'scope' | 'id'>): string {
  return `USE_OF_MONTH#${month}#${scope}#${id}`;
}

/** Returns a hash, because names of models and callers may be long and contain anything. */
function digest(parts: (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
