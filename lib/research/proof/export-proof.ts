import { exportName } from '../../api-contract/export-name.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { framesSoFar } from '../../run-events/follow-frames.ts';
import type { Run } from '../../runs/schema.ts';
import { type Step, steps, stepsOf } from '../../runs/steps/step-records.ts';
import type { ExportedReport } from '../export.ts';
import { type FoundResearch, readReport } from '../find-research.ts';
import { foldFrames } from '../fold-frames.ts';
import { proofs } from '../run-records.ts';
import type { Report } from '../schema.ts';
import { digest } from './digest.ts';
import { makeProof } from './make-proof.ts';
import { extractsOf } from './read-extracts.ts';
import { EXTRACTS_STEP, type ModelCall, type ProofMaterial } from './schema.ts';

/** Exports a report as a file that proves itself. Its root hash is stored first, so that anyone can compare it. */
export async function exportProof(
  { records, clock }: TimedRecords,
  found: FoundResearch,
  version: string,
): Promise<ExportedReport> {
  const { run } = found;
  const report = await readReport(records, found);
  const { bytes, rootHash } = makeProof(await readMaterial(records, run, report, version));
  const { id: runId, expiresAt } = run;
  await proofs.create(records, { runId, rootHash, createdAt: timestamp(clock), expiresAt });
  return {
    bytes: Buffer.from(bytes),
    contentType: 'application/zip',
    name: exportName(report.question, 'zip', 'report'),
  };
}

/** Reads what a run stored about its report. */
async function readMaterial(
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
