import * as z from 'zod';
import { OverBudget, ServiceError, UpstreamFailed } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StepUse } from './step-records.ts';

export const budgetSchema = z
  .strictObject({
    calls: z.int().min(1).max(2000).optional().describe('Maximum number of model calls.'),
    tokens: z
      .int()
      .min(1000)
      .max(50_000_000)
      .optional()
      .describe('Maximum number of input and output tokens.'),
    minutes: z.number().min(0.1).max(720).optional().describe('Maximum duration, in minutes.'),
  })
  .meta({ title: 'ResearchBudget' });
export type RunBudget = z.infer<typeof budgetSchema>;

/** A user's limit is reached. The material collected so far becomes the report. */
export class BudgetEnded extends ServiceError {
  constructor(reason: string) {
    super('report_budget_used_up', reason);
  }
}

/** The model's answer was unusable, even after a correction. */
export class UselessAnswer extends UpstreamFailed {}

/** Milliseconds for the longest model call and its follow-up work. With less time left, no work starts. */
export const HAND_OVER_MS = 4 * 60_000;

/** This process has no time left, so another continues (handoff). */
export class HandOver extends Error {}

/** Returns whether an error ends only one part of the work, such as a section. */
export function endsOnlyAPart(error: unknown): boolean {
  const kinds = [BudgetEnded, UpstreamFailed, OverBudget];
  return kinds.some((kind) => error instanceof kind);
}

/**
 * The share of a budget that may be used by the end of each phase, because passages that were read must also
 * be written about and judged.
 */
const SHARES = { read: 0.5, write: 0.8, judge: 1, fill: 1 };
export type Phase = keyof typeof SHARES;

export interface RunLimits {
  /**
   * Throws BudgetEnded if no call may start in the phase. Otherwise, counts the call as running until `end`.
   */
  begin(phase: Phase): { end(): void };
  /** Returns why calls were refused; null if no call was. */
  ended(): string | null;
  /** Records a refusal by a monthly budget. */
  endedBy(reason: string): void;
}

/** The estimated number of tokens for a call while it is running. */
const EXPECTED_TOKENS = 4000;

export function openLimits(
  { calls, tokens, minutes }: RunBudget,
  { clock, beganAt, used }: { clock: Clock; beganAt: number; used: () => StepUse },
): RunLimits {
  let underWay = 0;
  let reason: string | null = null;
  function refusal(share: number): string | undefined {
    const so = used();
    if (calls !== undefined && so.calls + underWay >= Math.max(1, Math.floor(calls * share)))
      return `${calls} model calls`;
    const soTokens = so.inputTokens + so.outputTokens + underWay * EXPECTED_TOKENS;
    if (tokens !== undefined && soTokens >= tokens * share) return `${tokens} tokens`;
    const soMinutes = (clock.now() - beganAt) / 60_000;
    if (minutes !== undefined && soMinutes >= minutes * share) return `${minutes} minutes`;
    return undefined;
  }
  return {
    begin(phase) {
      const over = refusal(SHARES[phase]);
      if (over !== undefined) {
        reason ??= `ended at its budget of ${over}`;
        throw new BudgetEnded(`The report ${reason}.`);
      }
      underWay += 1;
      return {
        end() {
          underWay -= 1;
        },
      };
    },
    ended: () => reason,
    endedBy(text) {
      reason ??= text;
    },
  };
}
