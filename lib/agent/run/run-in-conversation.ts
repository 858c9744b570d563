import type { Conversation } from '../../conversations/schema.ts';
import type { Records } from '../../ports/records.ts';
import { isRunOver, type Run, runs } from '../schema.ts';

/** The run that was begun last in the conversation, while it works or waits. */
export async function runInConversation(records: Records, { runId }: Conversation): Promise<Run | undefined> {
  const run = runId === null ? undefined : await runs.get(records, { id: runId });
  return run === undefined || isRunOver(run.status) ? undefined : run;
}
