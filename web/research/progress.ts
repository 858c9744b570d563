import type { Research } from './research.ts';

/**
 * A research run's progress, which its stream reports every few seconds. It is untrusted, so malformed parts
 * are omitted.
 */
export interface Progress {
  phase: Phase;
  done: number;
  total: number;
  reading?: string;
  calls: number;
  tokens: number;
  costUsd: number | null;
}

export const PHASES = ['plan', 'gather', 'read', 'weigh', 'write', 'summary', 'finish'] as const;
type Phase = (typeof PHASES)[number];

export function readProgress(data: unknown): Progress | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const fields = data as Record<string, unknown>;
  const phase = PHASES.find((each) => each === fields.phase);
  if (phase === undefined) return undefined;
  const { reading, costUsd } = fields;
  return {
    ...{ phase, done: countOf(fields.done), total: countOf(fields.total), calls: countOf(fields.calls) },
    ...(typeof reading === 'string' && reading !== '' && phase === 'read' && { reading }),
    tokens: countOf(fields.inputTokens) + countOf(fields.outputTokens),
    costUsd: typeof costUsd === 'number' ? costUsd : null,
  };
}

type Known = Pick<Research, 'plan' | 'calls' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'estimate'>;

/**
 * Returns a report's usage so far. It arrives some seconds after the first results, and 0 would be wrong
 * before that.
 */
export function sumsSoFar(progress: Progress | undefined, research: Known) {
  const calls = Math.max(progress?.calls ?? 0, research.calls);
  const costUsd = progress ? progress.costUsd : research.costUsd;
  const isPriced = research.estimate.costUsd !== null;
  return {
    isCounted: calls > 0 || research.plan === null,
    calls,
    tokens: Math.max(progress?.tokens ?? 0, research.inputTokens + research.outputTokens),
    costUsd: costUsd === 0 && !isPriced ? null : costUsd, // zero tokens cost nothing, even without a price
  };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0;
}
