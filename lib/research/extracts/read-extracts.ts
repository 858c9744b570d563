import { fileKey } from '../../api-contract/report-places.ts';
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

/** Returns the hashes of a report's cited files, by path, or by `fileKey()` if it is about several workspaces. */
export function hashesOf(
  { evidence }: Pick<Report, 'evidence'>,
  extracts: ReadonlyMap<string, Pick<Extract, 'fileHash'>>,
): Map<string, string> {
  const known = evidence.flatMap((each): [string, string][] => {
    const extract = extracts.get(each.id);
    return extract === undefined ? [] : [[fileKey(each), extract.fileHash]];
  });
  return new Map(known);
}
