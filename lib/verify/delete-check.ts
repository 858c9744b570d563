import { isRunOver } from '../agent/schema.ts';
import { Conflict } from '../errors.ts';
import type { FoundCheck } from './find-check.ts';
import { dropDraft } from './kept-drafts.ts';
import type { BeginCheckPorts } from './ports.ts';

/** Deletes a check that is over, with its draft, its verdicts, and what the judge answered; its run stays listed. Throws Conflict. */
export async function deleteCheck(ports: BeginCheckPorts, { run }: FoundCheck): Promise<void> {
  if (!isRunOver(run.status))
    throw new Conflict('draft_check_not_ready', 'The draft is still being checked. Stop the run first.');
  await dropDraft(ports, run.caller.id, run.id);
}
