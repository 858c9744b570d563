import type { Records } from '../../ports/records.ts';
import { type Step, steps, stepsOf } from '../../runs/steps/step-records.ts';
import type { Report } from '../schema.ts';
import { EXTRACTS_STEP, type Extract } from './extract.ts';

function extractsOf({ value }: Step): [string, Extract][] {
  return Object.entries(JSON.parse(value) as Record<string, Extract>);
}

/** Returns the extracts of a finished report by the ID of their evidence; none while the report is being written. */
export async function readExtracts(records: Records, runId: string): Promise<Map<string, Extract>> {
  const found: [string, Extract][] = [];
  for await (const step of steps.all(records, stepsOf(runId, EXTRACTS_STEP))) found.push(...extractsOf(step));
  return new Map(found);
}

/** Returns the hashes of a report's cited files, by path. */
export function hashesOf(
  { evidence }: Pick<Report, 'evidence'>,
  extracts: ReadonlyMap<string, Pick<Extract, 'fileHash'>>,
): Map<string, string> {
  const known = evidence.flatMap(({ id, path }): [string, string][] => {
    const extract = extracts.get(id);
    return extract === undefined ? [] : [[path, extract.fileHash]];
  });
  return new Map(known);
}
