import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { LanguageModel } from '../../ports/language-model.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { costOf } from '../../prices/price-of.ts';
import type { ModelPrices } from '../../prices/schema.ts';
import { requireRunRights } from '../rights.ts';
import type { Run } from '../schema.ts';
import type { RunWork, WorkOutcome } from '../work-on-run.ts';
import { HandOver } from './limits.ts';
import { type ResumedWork, resumableParts } from './resumable-parts.ts';
import type { StepUse } from './step-records.ts';
import { openSteps, type StoredSteps } from './stored-steps.ts';

/** Everything that a process needs to work on a run with stored steps. */
export interface OpenedRun {
  steps: StoredSteps;
  /** Aborted when the run is stopped. */
  signal: AbortSignal;
  /**
   * Throws if no work may start, because another process has the run, or this process's time is up
   * (HandOver).
   */
  requireMayGoOn(): void;
}

interface StoredRun {
  run: Run;
  /**
   * Milliseconds for which this process may work on the run, and the part of them reserved for work already
   * in progress.
   */
  timeLeftMs: number;
  spareMs: number;
}

/**
 * Returns the work of a run, starting with the first step that has no stored result. `open` starts the work
 * in this process.
 */
export function storedWork(
  ports: TimedRecords,
  { run, timeLeftMs, spareMs }: StoredRun,
  open: (opened: OpenedRun) => Promise<ResumedWork>,
): RunWork {
  let stored: StoredSteps | undefined;
  return {
    ...{ run, timeLeftMs },
    steps: () => stored?.count() ?? run.steps, // a page or a search counts as progress too
    async *parts(lease) {
      const steps = await openSteps(ports, run.id);
      stored = steps;
      return yield* resumableParts(ports.records, run.id, lease, async (signal) => {
        const until = ports.clock.now() + timeLeftMs - spareMs;
        const requireMayGoOn = () => {
          signal.throwIfAborted();
          lease.requireHeld();
          if (ports.clock.now() >= until) throw new HandOver();
        };
        const { progress, work } = await open({ steps, signal, requireMayGoOn });
        return { progress, work: (say) => untilHandOver(ports, run, () => work(say)) };
      });
    },
    keep: async () => {}, // each step was stored when it was done
    forget: async () => {}, // found passages are read for as long as the run is stored
  };
}

async function untilHandOver(
  ports: TimedRecords,
  run: Run,
  work: () => Promise<WorkOutcome>,
): Promise<WorkOutcome> {
  try {
    await requireRunRights(ports, run);
    return await work();
  } catch (error) {
    if (error instanceof HandOver) return { kind: 'parked', waiting: false };
    throw error;
  }
}

export type StepsUsage = StepUse & { costUsd: number | null };

/** Returns the usage of the model calls so far. */
export function usageOf(
  steps: StoredSteps,
  model: LanguageModel | undefined,
  prices: ModelPrices,
): StepsUsage {
  const { calls, inputTokens, outputTokens } = steps.used();
  const tokens = { inputTokens, outputTokens, embeddedTokens: 0 };
  const costUsd = model === undefined ? 0 : costOf(model.model, tokens, prices);
  return { calls, inputTokens, outputTokens, costUsd };
}

/** Returns the last event of a run. */
export function finishPart(
  { id: runId }: Run,
  model: LanguageModel | undefined,
  { calls, inputTokens, outputTokens, costUsd }: StepsUsage,
): Extract<StreamPart, { type: 'finish' }> {
  const by = model && { provider: model.provider, model: model.model };
  const usage = { inputTokens, outputTokens };
  return {
    ...{ type: 'finish', finishReason: 'stop' },
    messageMetadata: { runId, ...by, usage, steps: calls, costUsd },
  };
}
