import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { readBranches } from '../../../lib/conversations/branches.ts';
import { changeConversation } from '../../../lib/conversations/change.ts';
import { findOwn } from '../../../lib/conversations/find.ts';
import { textOf } from '../../../lib/conversations/messages.ts';
import { claimTurn } from '../../../lib/conversations/turn/claim-turn.ts';
import { endTurn } from '../../../lib/conversations/turn/end-turn.ts';
import { type Asked, planTurn } from '../../../lib/conversations/turn/plan-turn.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { timestamp } from '../../../lib/ports/clock.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { shownEnd } from '../../../web/chat/shown-end.ts';
import { randomOf } from '../../support/samples/mutate.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const OPERATIONS = Number(process.env.TAB_OPERATIONS ?? 400);
/** A conversation has space for 1,000 positions. */
const PER_CONVERSATION = 100;
const ANN: Caller = { id: 'ann', role: 'viewer', workspaceIds: null };
const workspaceId = randomUUID();

/** A message as a tab shows it. Its text is unique, unlike the ID of an edited question. */
interface Said {
  id: string;
  role: 'user' | 'assistant';
  text: string;
}
/** A message of a tab: a new question, a regenerated answer, or an edited question. */
interface Sent {
  shown: Said[];
  asked: Asked;
  /** The number of shown messages before the named one. */
  at: number;
  isAgain: boolean;
  isNaming: boolean;
}

const clock = { now: () => Date.now() };
const records = sqliteRecords(openDatabase(await tempFolder()), clock);
const ports = { records, clock };
await workspaces.create(records, { id: workspaceId, name: 'w', rootPath: '/', createdAt: timestamp(clock) });

async function read(id: string, whose: 'chosen' | 'all' = 'chosen'): Promise<Said[]> {
  const found = await findOwn(records, ANN, id);
  if (found === undefined) return [];
  const { messages } = await readBranches(records, found, whose);
  return messages.map((message) => ({ id: message.id, role: message.role, text: textOf(message) }));
}

/** Sends the message. Returns the ID and the text of the answer, or undefined if the message was rejected. */
async function send({ asked }: Sent, text: string): Promise<Said | undefined> {
  try {
    const plan = await planTurn(ports, ANN, workspaceId, asked);
    const turn = await claimTurn(ports, ANN.id, { workspaceId, id: asked.id }, plan);
    await turn.kept;
    const answer = { id: turn.id, role: 'assistant' as const, parts: [{ type: 'text', text }] };
    await endTurn(ports, turn.conversation, answer, plan.question);
    return { id: turn.id, role: 'assistant', text };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/**
 * Returns a tab's next message as useChat creates it, with the messages that the tab shows up to the
 * question.
 */
function nextOf(id: string, shown: Said[], random: (below: number) => number, text: string): Sent {
  const at = random(3) === 0 ? shown.length : random(shown.length + 1);
  const named = shown[at];
  const isNaming = random(2) === 0;
  const isAgain = named?.role === 'assistant';
  const question: Said = { id: named?.id ?? text, role: 'user', text };
  const asked: Asked = {
    id,
    trigger: isAgain ? 'regenerate-message' : 'submit-message',
    messageId: named?.id,
    messages: isAgain ? shown.slice(0, at) : [...shown.slice(0, at), question],
    ...(isNaming && shownEnd(shown, undefined)),
  };
  return { shown, asked, at, isAgain, isNaming };
}

/** Returns the tab's messages after the answer. */
function shownAfter({ shown, asked, at, isAgain }: Sent, answer: Said): Said[] {
  const question = isAgain ? [] : [asked.messages.at(-1) as Said];
  return [...shown.slice(0, at), ...question, answer];
}

const textsOf = (said: Said[]) => said.map(({ text }) => text);

/**
 * Sends one message, or two at once, and checks the stored messages. Returns which one was accepted; -1 if
 * both were rejected.
 */
async function play(id: string, sent: Sent[], number: number) {
  const [before, all] = [await read(id), await read(id, 'all')];
  const answers = await Promise.all(sent.map((each, of) => send(each, `A${number}.${of}`)));
  const won = answers.findIndex((answer) => answer !== undefined);
  const [now, stored] = [await read(id), await read(id, 'all')];
  expect(answers.filter((answer) => answer !== undefined).length).toBeLessThan(2);
  expect(stored.slice(0, all.length)).toEqual(all);
  expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
  const [winner, answer] = [sent[won], answers[won]];
  if (winner === undefined || answer === undefined) {
    expect([now, stored]).toEqual([before, all]);
    return { won, tab: [] };
  }
  const tab = shownAfter(winner, answer);
  const isCurrent = textsOf(winner.shown).join() === textsOf(before).join();
  if (winner.isNaming) expect(winner.shown.at(-1)?.id).toBe(before.at(-1)?.id);
  if (isCurrent) expect(textsOf(now)).toEqual(textsOf(tab));
  expect(now.at(-1)).toEqual(answer);
  return { won, tab };
}

async function choose(id: string, random: (below: number) => number): Promise<number> {
  const all = await read(id, 'all');
  const leaf = all[random(all.length)];
  if (leaf === undefined) return 0;
  await changeConversation(records, ANN, id, { leafId: leaf.id });
  expect(textsOf(await read(id))).toContain(leaf.text);
  expect(await read(id, 'all')).toEqual(all);
  return 1;
}

it('conversation keeps every turn that two tabs ask, edit, regenerate, and leave', async () => {
  const random = randomOf(7);
  const count = { taken: 0, refused: 0, races: 0, chosen: 0 };
  let tabs: Said[][] = [];
  const step = async (id: string, at: number) => {
    const tab = random(2);
    if (random(3) === 0) tabs[tab] = await read(id);
    if (random(6) === 0) count.chosen += await choose(id, random);
    const senders = random(5) === 0 ? [0, 1] : [tab];
    const sent = senders.map((of) => nextOf(id, tabs[of] ?? [], random, `Q${at}.${of}`));
    const played = await play(id, sent, at);
    const winner = senders[played.won];
    if (winner !== undefined) tabs[winner] = played.tab;
    count[winner === undefined ? 'refused' : 'taken'] += 1;
    count.races += senders.length - 1;
  };
  for (let at = 0; at < OPERATIONS; at += 1) {
    if (at % PER_CONVERSATION === 0) tabs = [[], []];
    await step(`c${Math.floor(at / PER_CONVERSATION)}`, at);
  }
  expect(Math.min(...Object.values(count))).toBeGreaterThan(OPERATIONS / 10);
});

it('conversation keeps the start of a long branch that is not chosen and whose answer is regenerated', async () => {
  const id = 'long';
  const ask = async (shown: Said[], text: string, messageId?: string) => {
    const question: Said = { id: messageId ?? text, role: 'user', text };
    const messages = [...shown, question];
    const answer = await send(
      { shown, at: shown.length, isAgain: false, isNaming: false, asked: { id, messageId, messages } },
      `to ${text}`,
    );
    return [...messages, answer as Said];
  };
  let shown: Said[] = [];
  for (let at = 0; at < 35; at += 1) shown = await ask(shown, `Q${at}`);
  await ask([], 'edited', shown[0]?.id);
  expect(textsOf(await read(id))).toEqual(['edited', 'to edited']);
  for (const at of [63, 31, 15, 13, 3, 1]) {
    const asked: Asked = {
      id,
      trigger: 'regenerate-message',
      messageId: shown[at]?.id,
      messages: shown.slice(0, at),
    };
    await send({ shown, at, isAgain: true, isNaming: false, asked }, `again ${at}`);
    expect(textsOf(await read(id))).toEqual([...textsOf(shown.slice(0, at)), `again ${at}`]);
    await changeConversation(records, ANN, id, { leafId: (await read(id, 'all'))[71]?.id });
  }
});
