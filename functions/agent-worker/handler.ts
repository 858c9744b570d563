import type * as z from 'zod';
import { forgetConversation } from '../../lib/agent/loop/agent-work.ts';
import { continueParked, endParkedRun } from '../../lib/agent/start/continue.ts';
import { dropKept } from '../../lib/agent/undo/kept-folders.ts';
import { readConfig } from '../../lib/config.ts';
import { continueTable } from '../../lib/evidence/continue.ts';
import { followTable } from '../../lib/evidence/follow.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { workOnOffboarding } from '../../lib/offboarding/work.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { continueResearch } from '../../lib/research/continue.ts';
import { failParkedRun } from '../../lib/runs/continue-parked.ts';
import { eraseRuns } from '../../lib/runs/erase.ts';
import { runMessageSchema, runs } from '../../lib/runs/schema.ts';
import { continueCheck } from '../../lib/verify/continue.ts';
import { dropDraft, dropDraftOfRun } from '../../lib/verify/draft-checks.ts';
import { deliverDue } from '../../lib/webhooks/deliver.ts';
import { type OpenedAgent, openAgent } from '../../lib/wiring/agent.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';

/** Milliseconds: the function's 15 minutes, minus the time before the work starts. */
const TIME_MS = 14.5 * 60_000;

/**
 * Maximum rounds. Each has at least one step, and a run has at most 200 steps (AGENT_MAX_STEPS). A person's
 * answer starts a new chain.
 */
const MAX_SLICES = 250;

const config = readConfig();
const indexQueue = await openQueue(config, 'index');
const openPorts = await openAgent(config);
const secrets = await openSecrets(config);

/** How each kind of run continues, and how it ends. */
const KINDS = {
  agent: { goOn: continueParked, end: endParkedRun },
  research: { goOn: continueResearch, end: failParkedRun },
  verify: { goOn: continueCheck, end: failParkedRun },
  table: { goOn: continueTable, end: failParkedRun },
};

async function open(runId: string) {
  const ports = await openPorts();
  const run = await runs.get(ports.records, { id: runId });
  return { ports, kind: KINDS[run?.kind ?? 'agent'] };
}

async function forget(ports: OpenedAgent, runId: string): Promise<void> {
  await forgetConversation(ports, runId);
  await dropDraftOfRun(ports, runId);
}

/** Does the work of a message that isn't about continuing a run. Returns false for the others. */
async function workOnOther(ports: OpenedAgent, message: z.infer<typeof runMessageSchema>): Promise<boolean> {
  const { runId, undoOf, draftOf, runsOf, followed, leaver, webhookId } = message;
  const filesChanged = filesChangedIn({ ...ports, queue: indexQueue });
  if (webhookId !== undefined) await deliverDue({ ...ports, secrets }, webhookId);
  else if (runsOf !== undefined) await eraseRuns({ ...ports, forget: (id) => forget(ports, id) }, runsOf);
  else if (leaver !== undefined) await workOnOffboarding({ ...ports, filesChanged }, leaver);
  else if (followed !== undefined) await followTable(ports, followed);
  else if (undoOf !== undefined) await dropKept(ports, undoOf, runId);
  else if (draftOf !== undefined) await dropDraft(ports, draftOf, runId);
  else return false;
  return true;
}

export const handler = serveQueue({
  message: runMessageSchema,
  queues: { agent: await openQueue(config, 'agent') },
  objects: await openObjects(config),
  async handle(messages) {
    for (const message of messages) {
      const { ports, kind } = await open(message.runId);
      if (!(await workOnOther(ports, message))) await kind.goOn(ports, message.runId, TIME_MS);
    }
  },
  maxHops: MAX_SLICES,
  async endChain({ runId }) {
    const { ports, kind } = await open(runId);
    await kind.end(
      ports,
      runId,
      `It was continued by another process ${MAX_SLICES} times, which is the limit.`,
    );
  },
});
