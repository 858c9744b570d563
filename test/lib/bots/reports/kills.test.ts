import { expect, it, jest } from '@jest/globals';
import { callerOfMessage } from '../../../../lib/bots/caller.ts';
import { receiveEvent } from '../../../../lib/bots/inbox/receive.ts';
import type { BotPorts } from '../../../../lib/bots/ports.ts';
import { chatLeases, chatReports, type PersonMessage, reportsOf } from '../../../../lib/bots/schema.ts';
import { workspaceAt } from '../../../../lib/bots/work/directory.ts';
import { handleBotMessage } from '../../../../lib/bots/work/handle-bot-message.ts';
import { sweepChats } from '../../../../lib/bots/work/sweep.ts';
import { runs, runsPartition } from '../../../../lib/runs/schema.ts';
import { sweepRuns } from '../../../../lib/runs/sweep.ts';
import {
  type BotRig,
  killablePorts,
  personMessage,
  startBotRig,
  workOffQueue,
} from '../../../support/bots.ts';
import { whenDone } from '../../../support/temp-folder.ts';

/** `npm run test:long` kills before every single call. */
const EVERY = Number(process.env.BOT_KILL_EVERY ?? 3);
const MINUTE_MS = 60_000;

/** Redelivers a message as a platform does, with another time. */
function deliver(rig: BotRig, ports: BotPorts, message: PersonMessage): Promise<boolean> {
  const { platform, messageId } = message;
  const receivedAt = new Date(rig.ports.clock.now()).toISOString();
  return receiveEvent(ports, { platform, ids: [messageId], message: { ...message, receivedAt } });
}

/**
 * Starts the report, and delivers it when its run is over. Other processes work on the run in the meantime.
 */
async function live(rig: BotRig, ports: BotPorts, message: PersonMessage): Promise<void> {
  await deliver(rig, ports, message);
  await workOffQueue(ports);
  await rig.settle();
  rig.time.offsetMs += MINUTE_MS;
  await sweepChats(ports);
  await workOffQueue(ports);
}

async function heal(rig: BotRig, message: PersonMessage): Promise<void> {
  for (const minutes of [2, 16, 1, 1]) {
    rig.time.offsetMs += minutes * MINUTE_MS;
    await deliver(rig, rig.ports, message);
    await sweepRuns(rig.ports);
    await rig.settle();
    await sweepChats(rig.ports);
    await rig.settle();
  }
}

/** Moves its message to the dead-letter queue, from which it doesn't return. */
async function giveUp(rig: BotRig): Promise<void> {
  for (let at = 0; at < 4; at++) {
    rig.time.offsetMs += MINUTE_MS;
    await sweepRuns(rig.ports);
    await sweepChats(rig.ports);
    await rig.settle();
  }
}

it('bot report is started by the next worker if the first one dies, and counts only while it lasts', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  whenDone(async () => jest.restoreAllMocks());
  const rig = await startBotRig();
  const home = await workspaceAt(rig.ports, callerOfMessage({ platform: 'ima', senderId: 'ou_1' }), rig.root);
  await rig.files.add(home, 'owls.md', 'Owls hunt at night.');
  let died = 0;
  for (let lives = 0, lived = false; !lived; lives++) {
    const message = personMessage('/research When do owls hunt?', { chatId: `lost-${lives}` });
    const mortal = killablePorts(rig, lives);
    const living = handleBotMessage(mortal.ports, message, MINUTE_MS);
    const outcome = await Promise.race([living.then(() => 'lived'), mortal.died.then(() => 'died')]);
    lived = outcome === 'lived';
    const isKept = (await chatReports.list(rig.ports.records, reportsOf(message))).items.length > 0;
    await giveUp(rig);
    mortal.bury();
    await Promise.allSettled([living]);
    const files = rig.feishu.sentFiles.filter(({ chatId }) => chatId === message.chatId);
    expect([lives, files.length]).toEqual([lives, isKept ? 1 : 0]);
    expect((await chatReports.list(rig.ports.records, reportsOf(message))).items).toEqual([]);
    if (isKept && !lived) died += 1;
  }
  expect(died).toBeGreaterThan(3);
});

it('bot report never starts if it is stopped before its run has started, wherever its worker died', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  whenDone(async () => jest.restoreAllMocks());
  const rig = await startBotRig();
  let stopped = 0;
  for (let lives = 0, lived = false; !lived; lives++) {
    const message = personMessage('/research When do owls hunt?', { chatId: `lost-${lives}` });
    const mortal = killablePorts(rig, lives);
    const living = handleBotMessage(mortal.ports, message, MINUTE_MS);
    const outcome = await Promise.race([living.then(() => 'lived'), mortal.died.then(() => 'died')]);
    lived = outcome === 'lived';
    const [report] = (await chatReports.list(rig.ports.records, reportsOf(message))).items;
    const asked = rig.research.prompts.length;
    if (report !== undefined && !lived) {
      await rig.handle(personMessage('/stop', { chatId: message.chatId }));
      await giveUp(rig);
      const said = textsIn(rig, message.chatId);
      expect([lives, said.includes('Stopped.'), said.at(-1)]).toEqual([
        lives,
        true,
        'The report was stopped.',
      ]);
      expect(rig.research.prompts.length).toBe(asked);
      stopped += 1;
    }
    mortal.bury();
    await Promise.allSettled([living]);
    expect(await deliver(rig, rig.ports, message)).toBe(true);
    await rig.settle();
    if (report !== undefined && !lived) expect(rig.research.prompts.length).toBe(asked);
  }
  expect(stopped).toBeGreaterThan(3);
});

function textsIn(rig: BotRig, chatId: string): string[] {
  const sent = rig.feishu.sent.filter((each) => each.chatId === chatId);
  return sent.flatMap(({ content }) => ('text' in content ? [content.text] : []));
}

it.each(['ima', 'imb'] as const)(
  'bot report is delivered once on %s, even if a process is killed at any call',
  async (platform) => {
    jest.spyOn(process.stdout, 'write').mockReturnValue(true); // processes that ended report this in the log
    whenDone(async () => jest.restoreAllMocks());
    const rig = await startBotRig();
    const home = await workspaceAt(
      rig.ports,
      callerOfMessage({ platform: 'ima', senderId: 'ou_1' }),
      rig.root,
    );
    await rig.files.add(home, 'owls.md', 'Owls hunt at night.');
    const { feishu, wecom } = rig;
    const recorded = platform === 'ima' ? feishu : wecom;
    let lives = 0;
    for (let lived = false; !lived; lives += EVERY) {
      const message = personMessage('/research When do owls hunt?', { platform, chatId: `chat-${lives}` });
      const mortal = killablePorts(rig, lives);
      const living = live(rig, mortal.ports, message);
      const outcome = await Promise.race([living.then(() => 'lived'), mortal.died.then(() => 'died')]);
      await heal(rig, message);
      mortal.bury();
      await Promise.allSettled([living]);
      const shown = recorded.sent.filter(({ chatId }) => chatId === message.chatId);
      const ends = shown.filter(({ content }) => 'text' in content && content.text.includes('2 supported,'));
      const files = recorded.sentFiles.filter(({ chatId }) => chatId === message.chatId);
      expect([lives, ends.length, files.length]).toEqual([lives, 1, 1]);
      expect((await chatReports.list(rig.ports.records, reportsOf(message))).items).toEqual([]);
      expect(
        (await chatLeases.list(rig.ports.records, { partition: 'BOT_DUE', byIndex: true })).items,
      ).toEqual([]);
      const begun = await runs.list(rig.ports.records, { partition: runsPartition(home.id), byIndex: true });
      expect(begun.items).toHaveLength(lives / EVERY + 1);
      lived = outcome === 'lived';
    }
    expect(lives).toBeGreaterThan(20);
  },
);
