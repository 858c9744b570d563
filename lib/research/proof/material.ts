import type { Run } from '../../agent/schema.ts';
import type { Records } from '../../ports/records.ts';
import { framesSoFar } from '../../run-events/follow-frames.ts';
import { foldFrames } from '../fold-frames.ts';
import { type Step, steps, stepsOf } from '../run-records.ts';
import type { Report, ResearchPlan } from '../schema.ts';
import { digest } from './digest.ts';
import { EXTRACTS_STEP } from './extracts.ts';
import type { Extract, ModelCall, ProofTotals } from './schema.ts';

/** All that a proof is made of. */
export interface ProofMaterial {
  run: Pick<Run, 'id' | 'createdAt' | 'finishedAt' | 'model'>;
  plan: ResearchPlan;
  report: Report;
  /** By the ID of the evidence. Reports of earlier releases have none. */
  extracts: Map<string, Extract>;
  calls: ModelCall[];
  totals: ProofTotals;
  /** Of the service. */
  version: string;
}

/** Reads what a run stored about its report. */
export async function readMaterial(
  records: Records,
  run: Run,
  report: Report,
  version: string,
): Promise<ProofMaterial> {
  const { plan, calls, inputTokens, outputTokens, costUsd } = foldFrames(await framesSoFar(records, run.id));
  const stored: Step[] = [];
  for await (const step of steps.all(records, stepsOf(run.id))) stored.push(step);
  return {
    ...{ run, report, version, plan: plan ?? { questions: [] } },
    extracts: new Map(stored.filter(({ name }) => name === EXTRACTS_STEP).flatMap(extractsOf)),
    calls: stored.flatMap((step) => callOf(step, run.model)),
    totals: { calls, inputTokens, outputTokens, costUsd },
  };
}

function extractsOf({ value }: Step): [string, Extract][] {
  return Object.entries(JSON.parse(value) as Record<string, Extract>);
}

/** Names of the steps that are model calls. */
const CALLS = new Set(['plan', 'read', 'weigh', 'write', 'summary', 'rewrite', 'judge']);

/** The step of a model call has the answer as its value, and the hash of the request as its own. A failed one has neither. */
function callOf({ name, hash, value, use }: Step, model: string): ModelCall[] {
  const answer: unknown = JSON.parse(value);
  const isAnswer = typeof answer === 'string' && CALLS.has(name);
  if (!isAnswer && use.calls === 0) return [];
  const { inputTokens, outputTokens } = use;
  return [
    {
      ...{ step: name, model, reused: use.calls === 0, inputTokens, outputTokens },
      requestSha256: isAnswer ? Buffer.from(hash, 'base64url').toString('hex') : null,
      answerSha256: isAnswer ? digest(answer) : null,
    },
  ];
}
