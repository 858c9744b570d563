import { Conflict } from '../errors.ts';
import { isRunOver, type Run, runs } from '../runs/schema.ts';
import type { FoundCheck } from './find-check.ts';
import { dropDraft } from './kept-drafts.ts';
import type { BeginCheckPorts } from './ports.ts';
import { checkParts, checkPartsOf } from './run-records.ts';

/**
 * Deletes a check that is over, with its draft, its verdicts, what the judge answered, and the checks of its sentences. Their runs are no
 * longer listed. Throws Conflict.
 */
export async function deleteCheck(ports: BeginCheckPorts, { run }: FoundCheck): Promise<void> {
  const parts = await partsOf(ports, run);
  if (![run, ...parts].every(({ status }) => isRunOver(status)))
    throw new Conflict('draft_check_not_ready', 'The draft is still being checked. Stop the run first.');
  // The parts of a part first: until it is deleted, they are found by it again.
  for (const part of parts.toReversed()) {
    await unlist(ports, part);
    await dropDraft(ports, part.caller.id, part.id);
  }
  await unlist(ports, run);
  await dropDraft(ports, run.caller.id, run.id); // last: until then it can be deleted again
}

/** The checks of its sentences, each before those of its own sentence. */
async function partsOf({ records }: BeginCheckPorts, { id }: Run): Promise<Run[]> {
  const found: Run[] = [];
  const open = [id];
  for (const whole of open)
    for await (const { partId } of checkParts.all(records, checkPartsOf(whole))) {
      const part = await runs.get(records, { id: partId });
      if (part === undefined) continue;
      open.push(partId);
      found.push(part);
    }
  return found;
}

async function unlist({ records }: BeginCheckPorts, { id }: Run): Promise<void> {
  await runs.update(records, { id }, { set: { request: '', draft: null, unlisted: true } });
}
