import { Conflict } from '../errors.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { isRunOver, type Run, runs } from '../runs/schema.ts';
import { readSteps, saveStep } from '../runs/steps/stored-steps.ts';
import { dropDraft } from './draft-checks.ts';
import type { FoundCheck } from './find-check.ts';
import type { BeginCheckPorts } from './ports.ts';

const PART = 'part';

/**
 * Records that a run checks a sentence of a draft, so that the two checks are deleted together. Anyone who
 * may read the draft's workspaces may delete its check, so the run is recorded only if it searches no other
 * workspace.
 */
export async function linkPart(ports: TimedRecords, wholeId: string, partId: string): Promise<void> {
  await saveStep(ports, wholeId, { name: PART, input: partId, value: partId });
}

/**
 * Deletes a finished check, with its draft, its verdicts, the judge's answers, and the checks of its
 * sentences. Lists no longer show their runs. Throws Conflict.
 */
export async function deleteCheck(ports: BeginCheckPorts, { run }: FoundCheck): Promise<void> {
  const all = await withParts(ports, run);
  if (!all.every(({ status }) => isRunOver(status)))
    throw new Conflict('draft_check_not_ready', 'The draft is still being checked. Stop the run first.');
  // Checks of a part's own sentences are deleted first, because they are found through that part.
  for (const { id, caller } of all.toReversed()) {
    await runs.update(ports.records, { id }, { set: { request: '', draft: null, unlisted: true } });
    await dropDraft(ports, caller.id, id);
  }
}

/** Returns a check and the checks of its sentences, each before the checks of its own sentences. */
async function withParts({ records }: BeginCheckPorts, whole: Run): Promise<Run[]> {
  const found = [whole];
  for (const { id } of found)
    for (const partId of await readSteps<string>(records, id, PART)) {
      const part = await runs.get(records, { id: partId });
      if (part !== undefined) found.push(part);
    }
  return found;
}
