import { isRunOver, type Run, runs, runsPartition } from '../agent/schema.ts';
import { Conflict } from '../errors.ts';
import type { FoundCheck } from './find-check.ts';
import { dropDraft } from './kept-drafts.ts';
import type { BeginCheckPorts } from './ports.ts';

/**
 * Deletes a check that is over, with its draft, its verdicts, what the judge answered, and the checks of its sentences. Their runs are no
 * longer listed. Throws Conflict.
 */
export async function deleteCheck(ports: BeginCheckPorts, { run }: FoundCheck): Promise<void> {
  const parts = await partsOf(ports, run);
  if (![run, ...parts].every(({ status }) => isRunOver(status)))
    throw new Conflict('draft_check_not_ready', 'The draft is still being checked. Stop the run first.');
  for (const part of parts) {
    await dropDraft(ports, part.caller.id, part.id);
    await unlist(ports, part); // last: until then it is found as a part again
  }
  await unlist(ports, run);
  await dropDraft(ports, run.caller.id, run.id); // last: until then it can be deleted again
}

/** Parts were started after the whole: ids are UUIDv7. */
async function partsOf({ records }: BeginCheckPorts, { id, workspaceId }: Run): Promise<Run[]> {
  const later = { partition: runsPartition(workspaceId), byIndex: true, from: id, limit: 100 };
  const parts = new Set([id]);
  const found: Run[] = [];
  for await (const run of runs.all(records, later)) {
    if (!parts.has(run.draft?.partOf ?? '')) continue;
    parts.add(run.id);
    found.push(run);
  }
  return found;
}

async function unlist({ records }: BeginCheckPorts, { id }: Run): Promise<void> {
  await runs.update(records, { id }, { set: { request: '', draft: null, unlisted: true } });
}
