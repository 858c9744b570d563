import { type Due, forEachDue } from '../../leases/due.ts';
import { timestamp } from '../../ports/clock.ts';
import { openApprovals } from '../../runs/approvals.ts';
import { runs } from '../../runs/schema.ts';
import type { ReceivePorts } from '../inbox/receive.ts';
import { CHATS_DUE, type ChatId, type ChatLease, type ChatWork, chatLeases, chats } from '../schema.ts';
import { callBotWorker, postponeCheck } from './chat-lease.ts';

/**
 * For the scheduler tick: finds chats with work but without a worker, because a worker died, or because a run
 * that waited for a person continues. Each time, also finds the reports that chats wait for.
 */
export async function sweepChats(ports: ReceivePorts): Promise<void> {
  const { records, clock } = ports;
  const due: Due<ChatLease, ChatWork> = {
    collection: chatLeases,
    query: { partition: CHATS_DUE, to: timestamp(clock) },
    isDue: ({ until }) => Date.parse(until) <= clock.now(),
    failure: 'a chat could not be swept',
    about: ({ platform }) => ({ platform }),
  };
  await forEachDue(records, due, async (_, readAgain) => {
    const lease = await readAgain();
    if (lease === undefined || !(await postponeCheck(ports, lease))) return;
    const waits = lease.runId === undefined && (await waitsForPerson(ports, lease));
    if (!waits) await callBotWorker(ports, lease);
  });
}

/** Returns true if the chat waits for a person who has been asked, so that it needs no worker. */
async function waitsForPerson({ records, clock }: ReceivePorts, id: ChatId): Promise<boolean> {
  const chat = await chats.get(records, id);
  if (chat?.activeRun == null) return false;
  const { runId, asked } = chat.activeRun;
  if ((await runs.get(records, { id: runId }))?.status !== 'waiting') return false;
  const open = await openApprovals({ records, clock }, runId);
  return open.length > 0 && open.every(({ id }) => asked.includes(id));
}
