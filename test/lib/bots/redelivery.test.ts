import { describe, expect, it } from '@jest/globals';
import { sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { type ReceivePorts, receiveEvent } from '../../../lib/bots/inbox/receive.ts';
import type { PersonMessage } from '../../../lib/bots/schema.ts';
import { handleBotMessage } from '../../../lib/bots/work/handle-bot-message.ts';
import { inTurn, says } from '../../support/agent.ts';
import { type BotRig, personMessage, startBotRig } from '../../support/bots.ts';
import { killable } from '../../support/processes/killable.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Times at which a platform redelivers unanswered messages, from the first delivery on. */
const TIMETABLES = {
  ima: [0, 15 * SECOND, 5 * MINUTE, HOUR, 6 * HOUR].map(sumUp()),
  imb: [0, 5 * SECOND, 10 * SECOND],
};

function sumUp() {
  let sum = 0;
  return (pause: number) => (sum += pause);
}

function instancesOf({ database, ports: { clock } }: BotRig): ReceivePorts[] {
  return Array.from({ length: 4 }, () => ({
    records: sqliteRecords(database, clock),
    botQueue: sqliteQueue(database, 'bot', clock),
    clock,
  }));
}

/**
 * Accepts a message as one instance does. It may be killed after some calls, and the platform then redelivers
 * the message.
 */
async function deliver(ports: ReceivePorts, message: PersonMessage, lives: number): Promise<void> {
  const { platform, messageId } = message;
  const process = killable(ports, ['records', 'botQueue'], lives);
  const event = { platform, ids: [`event-${messageId}`, messageId], message };
  await Promise.race([receiveEvent(process.ports, event), process.died]);
}

describe.each(['ima', 'imb'] as const)('message that %s redelivers', (platform) => {
  it('arrives at four instances on the schedule, and is answered once', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Here.'));
    const instances = instancesOf(rig);
    const start = rig.ports.clock.now();
    // The first deliveries of each message are lost after 0, 1, 2 … calls. Each text is in a separate chat.
    const messages = Array.from({ length: 12 }, (_, index) =>
      personMessage('Hi', { platform, chatId: `chat-${index}`, messageId: `m-${index}` }),
    );
    for (const [round, at] of TIMETABLES[platform].entries()) {
      rig.time.offsetMs += start + at - rig.ports.clock.now();
      const deliveries = messages.flatMap((message, index) =>
        // The same event may arrive at two instances at the same moment.
        [0, 1].map((twin) => {
          const instance = instances[(index + round + twin) % instances.length] as ReceivePorts;
          return deliver(instance, message, round === 0 ? index % 6 : Number.POSITIVE_INFINITY);
        }),
      );
      await Promise.all(deliveries);
      await rig.settle();
    }
    const { sent } = platform === 'ima' ? rig.feishu : rig.wecom;
    expect(sent.map(({ chatId }) => chatId).sort()).toEqual(messages.map(({ chatId }) => chatId).sort());
    expect(rig.model.requests).toHaveLength(messages.length);
  });
});

describe('duplicate event', () => {
  it('is recognized by each of its IDs, for at least eight hours', async () => {
    const rig = await startBotRig();
    const message = personMessage('Hi');
    const take = (ids: string[]) => receiveEvent(rig.ports, { platform: 'ima', ids, message });
    expect(await take(['event', 'message'])).toBe(true);
    rig.time.offsetMs = 8 * HOUR;
    expect(await take(['event'])).toBe(false);
    expect(await take(['message'])).toBe(false);
    expect(await take(['other', 'message'])).toBe(false);
    expect(await take(['other'])).toBe(true);
  });

  it('is recognized only on the same platform', async () => {
    const rig = await startBotRig();
    const take = (platform: 'ima' | 'imb') =>
      receiveEvent(rig.ports, { platform, ids: ['1'], message: personMessage('Hi', { platform }) });
    expect(await take('ima')).toBe(true);
    expect(await take('imb')).toBe(true);
  });

  it('is handled once although the queue delivers it twice, hours apart', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Here.'));
    const question = await rig.say('Hi');
    const command = await rig.say('/status');
    rig.time.offsetMs = 7 * HOUR;
    for (const message of [question, command]) await handleBotMessage(rig.ports, message, 870_000);
    await rig.settle();
    expect(rig.feishu.sent).toHaveLength(2);
    expect(rig.model.requests).toHaveLength(1);
  });

  it("doesn't count as received if it didn't reach the queue", async () => {
    const rig = await startBotRig();
    const message = personMessage('Hi');
    const botQueue = { ...rig.ports.botQueue, send: () => Promise.reject(new Error('away')) };
    const event = { platform: 'ima' as const, ids: [message.messageId], message };
    await expect(receiveEvent({ ...rig.ports, botQueue }, event)).rejects.toThrow('away');
    expect(await receiveEvent(rig.ports, event)).toBe(true);
  });
});
