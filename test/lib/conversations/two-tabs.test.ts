import { expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { findOwn } from '../../../lib/conversations/find.ts';
import { readMessages } from '../../../lib/conversations/messages.ts';
import { claimTurn } from '../../../lib/conversations/turn/claim-turn.ts';
import { endTurn } from '../../../lib/conversations/turn/end-turn.ts';
import { type Asked, planTurn } from '../../../lib/conversations/turn/plan-turn.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { endFields, shownEnd } from '../../../web/chat/shown-end.ts';
import { randomOf } from '../../support/samples/mutate.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const OPERATIONS = 2_000;
/** A conversation has space for 1,000 positions. */
const PER_CONVERSATION = 50;
const ANN: Caller = { id: 'ann', role: 'viewer', workspaceIds: null };
const workspaceId = 'w';

interface Said {
  id: string;
  role: 'user' | 'assistant';
}
/** A message of a tab: a new question, a regenerated answer, or an edited question. */
interface Sent {
  shown: Said[];
  asked: Asked;
  /** The message to replace. */
  named: string | undefined;
  /** Whether the tab names its last message, like the console, and consents. */
  isNaming: boolean;
}

const clock = { now: () => Date.now() };
const records = sqliteRecords(openDatabase(await tempFolder()), clock);
const ports = { records, clock };

async function read(id: string): Promise<Said[]> {
  const found = await findOwn(records, ANN, id);
  return found === undefined
    ? []
    : (await readMessages(records, found)).map(({ id, role }) => ({ id, role }));
}

/** Sends it; returns the ID of the answer, or undefined if it was rejected. */
async function send({ asked }: Sent): Promise<string | undefined> {
  try {
    const plan = await planTurn(ports, ANN, workspaceId, asked);
    const turn = await claimTurn(ports, ANN.id, { workspaceId, id: asked.id }, plan);
    await turn.kept;
    const answer = { id: turn.id, role: 'assistant' as const, parts: [{ type: 'text', text: 'Yes.' }] };
    await endTurn(ports, turn.conversation, answer, undefined);
    return turn.id;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** A tab's next message, as useChat creates it: it sends what it shows up to the question. */
function nextOf(id: string, shown: Said[], random: (below: number) => number, at: number): Sent {
  const isNaming = random(2) === 0;
  const at2 = random(3) === 0 ? shown.length : random(shown.length + 1);
  const named = shown[at2];
  const end = isNaming
    ? endFields(shownEnd(shown, undefined, named?.id))
    : random(2)
      ? {}
      : { discardLater: true };
  const isAgain = named?.role === 'assistant';
  const before = shown.slice(0, at2).map(({ id, role }) => ({ id, role, text: 'Who?' }));
  const question = { id: named?.id ?? `q${at}`, role: 'user' as const, text: 'Who?' };
  const asked: Asked = {
    id,
    trigger: isAgain ? 'regenerate-message' : 'submit-message',
    messageId: named?.id,
    messages: isAgain ? before : [...before, question],
    ...end,
  };
  return { shown, asked, named: named?.id, isNaming };
}

/**
 * Expected messages by the rule: nothing is deleted that the tab has not shown, or not consented to.
 * Undefined for a rejection.
 */
function remaining(
  kept: Said[],
  { shown, asked, named, isNaming }: Sent,
  answer: string,
): Said[] | undefined {
  const isCurrent = kept.at(-1)?.id === shown.at(-1)?.id;
  if (isNaming && !isCurrent) return undefined;
  const at = kept.findIndex(({ id }) => id === named);
  const added: Said = { id: answer, role: 'assistant' };
  if (named === undefined) return [...kept, { id: asked.messages.at(-1)?.id ?? '', role: 'user' }, added];
  const hasLater = kept.slice(at + 1).some(({ role }) => role === 'user');
  if (at === -1 || (hasLater && !isNaming)) return undefined;
  return [...kept.slice(0, asked.trigger === 'submit-message' ? at + 1 : at), added];
}

/**
 * Sends one message, or two at once; returns which one was accepted, -1 for none, and the conversation then.
 */
async function play(id: string, sent: Sent[]): Promise<{ won: number; now: Said[] }> {
  const kept = await read(id);
  const answers = await Promise.all(sent.map(send));
  const won = answers.findIndex((answer) => answer !== undefined);
  const expected = sent.map((each, of) => remaining(kept, each, answers[of] ?? ''));
  const now = await read(id);
  expect(answers.filter((answer) => answer !== undefined).length).toBeLessThan(2);
  if (sent.length === 1) expect(won === 0).toBe(expected[0] !== undefined);
  expect(now).toEqual(won === -1 ? kept : expected[won]);
  return { won, now };
}

it('conversation loses nothing that a tab has not shown and agreed to delete, with two tabs', async () => {
  const random = randomOf(7);
  const count = { taken: 0, refused: 0, races: 0 };
  let tabs: Said[][] = [];
  for (let at = 0; at < OPERATIONS; at += 1) {
    const id = `c${Math.floor(at / PER_CONVERSATION)}`;
    if (at % PER_CONVERSATION === 0) tabs = [[], []];
    const tab = random(2);
    if (random(3) === 0) tabs[tab] = await read(id);
    const senders = random(5) === 0 ? [0, 1] : [tab];
    const sent = senders.map((of) => nextOf(id, tabs[of] ?? [], random, at * 2 + of));
    const { won, now } = await play(id, sent);
    const winner = senders[won];
    if (winner !== undefined) tabs[winner] = now;
    count[winner === undefined ? 'refused' : 'taken'] += 1;
    count.races += sent.length - 1;
  }
  expect(Math.min(...Object.values(count))).toBeGreaterThan(300);
});
