import { openApprovals } from '../../agent/run/approvals.ts';
import { runs } from '../../agent/schema.ts';
import { log } from '../../log.ts';
import { type ChatId, type ChatTurn, chats, turns } from '../schema.ts';
import { callBotWorker, dueTurns, postponeTurn, type TurnPorts } from './chat-turns.ts';

/**
 * For the minute tick: finds chats that have work but no worker, because a worker died, or because a run
 * that waited for a person continues; and reports that chats wait for, each time.
 */
export async function sweepChats(ports: TurnPorts): Promise<void> {
  for await (const turn of dueTurns(ports)) {
    try {
      await sweepChat(ports, turn);
    } catch (error) {
      log.error('a chat could not be swept', { platform: turn.platform }, error);
    }
  }
}

async function sweepChat(ports: TurnPorts, id: ChatTurn): Promise<void> {
  const turn = await turns.get(ports.records, id);
  if (turn === undefined || Date.parse(turn.until) > ports.clock.now()) return; // the index lags
  if (!(await postponeTurn(ports, turn))) return;
  const waits = turn.runId === undefined && (await waitsForPerson(ports, turn));
  if (!waits) await callBotWorker(ports, turn);
}

/** Whether the chat waits for a person who has been asked: then no worker is needed. */
async function waitsForPerson({ records, clock }: TurnPorts, id: ChatId): Promise<boolean> {
  const chat = await chats.get(records, id);
  if (chat?.activeRun == null) return false;
  const { runId, asked } = chat.activeRun;
  if ((await runs.get(records, { id: runId }))?.status !== 'waiting') return false;
  const open = await openApprovals({ records, clock }, runId);
  return open.length > 0 && open.every(({ id }) => asked.includes(id));
}
