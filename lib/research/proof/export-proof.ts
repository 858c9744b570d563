import { exportName } from '../../api-contract/export-name.ts';
import { timestamp } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import type { ExportedReport } from '../export.ts';
import { type FoundResearch, readReport } from '../find-research.ts';
import { proofs } from '../run-records.ts';
import { makeProof } from './make-proof.ts';
import { readMaterial } from './material.ts';

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
