import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { countInbox } from '../../../lib/bots/inbox/inbox.ts';
import { receiveEvent } from '../../../lib/bots/inbox/receive.ts';
import type { BotPorts } from '../../../lib/bots/ports.ts';
import { chatLeases, type PersonMessage } from '../../../lib/bots/schema.ts';
import { sweepChats } from '../../../lib/bots/work/sweep.ts';
import { readMessages } from '../../../lib/conversations/branches.ts';
import { findOfBot } from '../../../lib/conversations/find.ts';
import { textOf, toMessage } from '../../../lib/conversations/messages.ts';
import { openApprovals } from '../../../lib/runs/approvals.ts';
import { readRun } from '../../../lib/runs/runs.ts';
import { sweepRuns } from '../../../lib/runs/sweep.ts';
import { calls, doIt, inTurn, recordingTool, says } from '../../support/agent.ts';
import {
  type BotRig,
  killablePorts,
  lastShown,
  personMessage,
  startBotRig,
  workOffQueue,
} from '../../support/bots.ts';
import type { Killable } from '../../support/processes/killable.ts';

/** `npm run test:long` kills before every single call. */
const EVERY = Number(process.env.BOT_KILL_EVERY ?? 3);
const MINUTE_MS = 60_000;

beforeEach(() => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true); // processes that ended report this in the log
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Runs a process that accepts the message and handles all messages in the queue. */
async function live({ ports }: Killable<BotPorts>, message: PersonMessage): Promise<void> {
  await deliver(ports, message);
  await workOffQueue(ports);
}

function deliver(ports: BotPorts, message: PersonMessage): Promise<boolean> {
  const { platform, messageId } = message;
  return receiveEvent(ports, { platform, ids: [`event-${messageId}`, messageId], message });
}

/**
 * The platform redelivers, the scheduler tick comes, and messages of dead workers return to the queue. At the
 * first tick, the lease of a dead run has expired; until then, the run's followers wait for that.
 */
async function heal(rig: BotRig, message: PersonMessage): Promise<void> {
  for (const minutes of [2, 1, 16, 1]) {
    rig.time.offsetMs += minutes * MINUTE_MS;
    await deliver(rig.ports, message);
    await sweepRuns(rig.ports);
    await rig.settle();
    await sweepChats(rig.ports);
    await rig.settle();
  }
}

/** Kills a process at one call after the other, until a process survives. Returns the number of calls. */
async function killEverywhere(
  rig: BotRig,
  prepare: (round: number) => Promise<PersonMessage>,
  check: (message: PersonMessage) => Promise<void>,
): Promise<number> {
  for (let lives = 0; ; lives += EVERY) {
    const message = await prepare(lives);
    const process = killablePorts(rig, lives);
    const living = live(process, message);
    const agent = setInterval(() => void rig.pumpAgent(), 10);
    const outcome = await Promise.race([living.then(() => 'lived'), process.died.then(() => 'died')]);
    clearInterval(agent);
    await heal(rig, message);
    process.bury();
    await Promise.allSettled([living]);
    await check(message);
    if (outcome === 'lived') return lives;
  }
}

async function expectWorkedOff(rig: BotRig, message: PersonMessage): Promise<void> {
  expect(await rig.chat(message)).toMatchObject({ activeRun: null });
  expect(await countInbox(rig.ports, message)).toBe(0);
  expect(await chatLeases.get(rig.ports.records, message)).toBeUndefined();
}

/**
 * Returns the messages in the conversations of a chat, whichever process died: `user: …` and `assistant: …`.
 */
async function keptOf(rig: BotRig, runId: string): Promise<string[]> {
  const run = await readRun(rig.ports.records, runId);
  const there = await findOfBot(rig.ports.records, run.conversationId ?? '');
  const messages = there === undefined ? [] : await readMessages(rig.ports.records, there);
  expect(messages).toHaveLength(there?.messageCount ?? -1);
  return messages.map(toMessage).map((message) => `${message.role}: ${textOf(message)}`);
}

function shownIn({ feishu, wecom }: BotRig, { platform, chatId }: PersonMessage): string[] {
  const recorded = platform === 'ima' ? feishu : wecom;
  const sent = recorded.sent.filter((shown) => shown.chatId === chatId);
  return lastShown({ ...recorded, sent }).map(({ kind }) => kind);
}

describe('killed bot process', () => {
  it.each(['ima', 'imb'] as const)(
    'leaves a message on %s that is answered once, even if it is killed at any call',
    async (platform) => {
      const rig = await startBotRig();
      rig.model.answer = inTurn(says('Here.'));
      const took = await killEverywhere(
        rig,
        async (round) => personMessage('Hi', { platform, chatId: `chat-${round}` }),
        async (message) => {
          const shown = shownIn(rig, message);
          expect(shown).toEqual([expect.stringMatching(/^(final|error)$/)]);
          await expectWorkedOff(rig, message);
          const { conversationId } = await rig.chat(message);
          const kept = await keptOf(rig, conversationId ?? '');
          expect(kept).toEqual(['user: Hi', expect.stringMatching(/^assistant: /)]);
          if (shown[0] === 'final') expect(kept[1]).toBe('assistant: Here.');
        },
      );
      expect(took).toBeGreaterThan(20);
    },
  );

  it('leaves a command that is answered once, even if it is killed at any call', async () => {
    const rig = await startBotRig();
    const took = await killEverywhere(
      rig,
      async (round) => personMessage('/mode ask', { chatId: `chat-${round}` }),
      async (message) => {
        expect(shownIn(rig, message)).toEqual(['command']);
        expect(await rig.chat(message)).toMatchObject({ mode: 'ask' });
      },
    );
    expect(took).toBeGreaterThan(5);
  });

  it('leaves an approval that is used once, even if it is killed at any call', async () => {
    const launch = recordingTool('launch', { asks: doIt });
    const rig = await startBotRig([launch.tool]);
    let launched = 0;
    const took = await killEverywhere(
      rig,
      async (round) => {
        rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
        const { chatId } = await rig.say('Launch it', { chatId: `chat-${round}` });
        const { activeRun } = await rig.chat({ chatId });
        const [approval] = await openApprovals(rig.ports, activeRun?.runId ?? '');
        return personMessage({ type: 'answer', approvalId: approval?.id ?? '', approved: true }, { chatId });
      },
      async (message) => {
        expect(launch.inputs).toHaveLength(++launched);
        expect(shownIn(rig, message)).toEqual(['final', 'command']);
        await expectWorkedOff(rig, message);
      },
    );
    expect(took).toBeGreaterThan(10);
  });
});
