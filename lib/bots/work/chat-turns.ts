import { randomUUID } from 'node:crypto';
import { log } from '../../log.ts';
import { type Clock, timestamp } from '../../ports/clock.ts';
import type { Queue } from '../../ports/queue.ts';
import { type FieldExpectation, ifExpected, type Records, wasExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { type BotMessage, type ChatTurn, DUE, duePlace, type TurnId, turns } from '../schema.ts';

export interface TurnPorts {
  records: Records;
  clock: Clock;
  botQueue: Queue;
}

/** A process that is silent for this long counts as dead. */
const SILENT_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** When the tick looks after a chat that waits for something. */
const LOOK_AGAIN_MS = 45_000;

/** Lets the tick look after it from now on. Idempotent. */
export async function planLook({ records, clock }: TimedRecords, id: TurnId): Promise<void> {
  await turns.create(records, newTurn(id, clock));
}

function newTurn(id: TurnId, clock: Clock): ChatTurn {
  return { ...turnId(id), owner: '', until: timestamp(clock, LOOK_AGAIN_MS), wanted: 1 };
}

function turnId({ platform, chatId, runId }: TurnId): TurnId {
  return { platform, chatId, ...(runId !== undefined && { runId }) };
}

/** Notes that there is work; calls a worker unless one is active, which will see it. Idempotent. */
export async function demandTurn(ports: TurnPorts, id: TurnId): Promise<void> {
  const { records, clock } = ports;
  const turn = newTurn(id, clock);
  const demanded = (await turns.create(records, turn))
    ? turn
    : await ifExpected(turns.update(records, turn, { add: { wanted: 1 } }));
  if (demanded === undefined) return demandTurn(ports, turn); // it ended just now
  if (!isHeld(demanded, clock)) await callBotWorker(ports, turn);
}

function isHeld({ owner, until }: ChatTurn, clock: Clock): boolean {
  return owner !== '' && Date.parse(until) > clock.now();
}

/** Sends to a separate group: if the message is lost with its worker, the next one must not wait for it. */
export async function callBotWorker({ botQueue }: Pick<TurnPorts, 'botQueue'>, id: TurnId): Promise<void> {
  const body: BotMessage = { kind: 'follow', ...turnId(id) };
  await botQueue.send([{ body, groupId: randomUUID() }]);
}

export interface HeldTurn {
  /** Aborted when the turn was lost to another. */
  signal: AbortSignal;
  /** How many messages had come at that moment; undefined when another worker has the turn. */
  seen(): Promise<number | undefined>;
  /** The chat has nothing left to work off; false when something came after `wanted` was seen. */
  end(wanted: number): Promise<boolean>;
  /**
   * Leaves the chat to the next worker, which the tick calls at the latest; calls one at once if a message has come
   * since `wanted` was seen: the one that it called found the turn taken.
   */
  release(wanted: number): Promise<void>;
  /** Reports nothing, for a process that continues with something else: after a while the turn counts as dead. */
  drop(): void;
}

/** Takes a turn, and keeps it by signs of life; undefined when another has it, or there is nothing to do. */
export async function takeChatTurn(ports: TurnPorts, of: TurnId): Promise<HeldTurn | undefined> {
  const { records, clock } = ports;
  const id = turnId(of);
  const turn = await turns.get(records, id);
  if (turn === undefined || isHeld(turn, clock)) return undefined;
  const mine = { owner: randomUUID() };
  const move = (owner: string, milliseconds: number, expect: FieldExpectation) =>
    wasExpected(turns.update(records, id, moveTo(id, timestamp(clock, milliseconds), owner), expect));
  if (!(await move(mine.owner, SILENT_MS, { owner: turn.owner, until: turn.until }))) return undefined;
  const keeping = keepUp(() => move(mine.owner, SILENT_MS, mine));
  return {
    signal: keeping.signal,
    async seen() {
      const now = await turns.get(records, id);
      return now?.owner === mine.owner ? now.wanted : undefined;
    },
    async end(wanted) {
      const ended = await wasExpected(turns.delete(records, id, { ...mine, wanted }));
      if (ended) keeping.stop();
      return ended;
    },
    async release(wanted) {
      keeping.stop();
      if (!(await move('', LOOK_AGAIN_MS, mine))) return;
      const now = await turns.get(records, id);
      if (now !== undefined && now.wanted !== wanted) await callBotWorker(ports, id);
    },
    drop: keeping.stop,
  };
}

function keepUp(renew: () => Promise<boolean>) {
  const lost = new AbortController();
  const timer = setInterval(async () => {
    const [kept] = await Promise.allSettled([renew()]);
    if (kept.status === 'rejected') log.warn('a turn was not renewed', { reason: String(kept.reason) });
    else if (!kept.value) lost.abort();
  }, RENEW_EVERY_MS).unref();
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}

/** For the tick: looks again later, unless a worker has taken the turn meanwhile. */
export async function postponeTurn(
  { records, clock }: TimedRecords,
  { owner, until, ...id }: ChatTurn,
): Promise<boolean> {
  const change = moveTo(id, timestamp(clock, LOOK_AGAIN_MS), '');
  return wasExpected(turns.update(records, id, change, { owner, until }));
}

export function dueTurns({ records, clock }: TimedRecords): AsyncGenerator<ChatTurn> {
  const to = timestamp(clock);
  return turns.all(records, { partition: DUE, byIndex: true, to, limit: 100 });
}

function moveTo(id: TurnId, until: string, owner: string) {
  return { set: { owner, until }, index: duePlace({ ...id, until }) };
}
