import { titleOf } from '../conversations/turn/plan-turn.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { announceEvent } from '../webhooks/announce.ts';
import type { Run } from './schema.ts';

/** Tells webhooks that a run is over. Idempotent; false if it has to be repeated. */
export async function announceEnd(ports: TimedRecords, run: Run): Promise<boolean> {
  const { id, status, createdAt, finishedAt, unlisted } = run;
  // An unlisted run is the private check of a text, whose title is a part of it.
  if (unlisted) return true;
  const data = { ...dataOf(run), status };
  return announceEvent(ports, {
    type: 'run.finished',
    name: id,
    at: Date.parse(finishedAt ?? createdAt),
    data,
  });
}

/** Tells webhooks that a run waits for a person, once per step. Idempotent; false if it has to be repeated. */
export async function announceWaiting(ports: TimedRecords, run: Run): Promise<boolean> {
  const { id, steps, createdAt, unlisted } = run;
  if (unlisted) return true;
  const name = `${id}#${steps}`;
  return announceEvent(ports, {
    ...{ type: 'run.approval_required', name, at: Date.parse(createdAt) },
    data: dataOf(run),
  });
}

const PAGES = { agent: 'agent', research: 'research', verify: 'drafts', table: 'tables/runs' };

function dataOf({ id: runId, workspaceId, kind, request }: Run) {
  const path = `/w/${workspaceId}/${PAGES[kind]}/${runId}`;
  return { runId, workspaceId, kind, title: titleOf(request), path };
}
