import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { rememberFactTool } from '../../../../lib/agent/tools/remember-fact.ts';
import { receiveEvent } from '../../../../lib/bots/inbox/receive.ts';
import { calls, inTurn, says } from '../../../support/agent.ts';
import {
  type BotRig,
  killablePorts,
  lastShown,
  personMessage,
  startBotRig,
  workOffQueue,
} from '../../../support/bots.ts';

const GROUP = { chatId: 'oc_group', chatType: 'group' as const };
let rig: BotRig;

beforeEach(async () => {
  rig = await startBotRig();
  rig.model.answer = inTurn(says('Yes.'));
});

async function command(text: string, fields = {}): Promise<string> {
  await rig.say(text, fields);
  const shown = lastShown(rig.feishu).at(-1);
  if (shown?.kind !== 'command') throw new Error(`not a command: ${JSON.stringify(shown)}`);
  return shown.text;
}

describe('facts of a chat', () => {
  it('are saved, listed, and deleted by their codes', async () => {
    expect(await command('/facts')).toMatch(/^No facts are saved/);
    expect(await command('/remember I use  SI units.')).toMatch(/^Saved: I use SI units\./);
    await command('/remember I read German.');
    const listed = await command('/facts');
    expect(listed).toMatch(/^\*\*[0-9a-f]{6}\*\* I read German\.\n\*\*[0-9a-f]{6}\*\* I use SI units\.$/);
    const code = /\*\*(\w+)\*\* I use/.exec(listed)?.[1] ?? '';
    expect(await command(`/forget ${code.toUpperCase()}`)).toBe('Deleted: I use SI units.');
    expect(await command(`/forget ${code}`)).toMatch(/^No fact has this code/);
    expect(await command('/forget')).toMatch(/^No fact has this code/);
    expect(await command('/facts')).toMatch(/ I read German\.$/);
  });

  it.each([
    ['nothing', '/remember', /Add the fact/],
    ['invisible characters', '/remember a\u202eb', /invisible/],
    ['too many characters', `/remember ${'x'.repeat(501)}`, /500/],
  ])('are refused with %s', async (_what, text, why) => {
    expect(await command(text)).toMatch(why);
    expect(await command('/facts')).toMatch(/^No facts are saved/);
  });

  it('of a person are used in their own chat, and never shown or used in a group', async () => {
    await command('/remember MINE: I use SI units.');
    await command('/remember OURS: Site B is the tower.', GROUP);
    expect(await command('/facts', GROUP)).toMatch(/^\*\*\w+\*\* OURS/);
    expect(await command('/facts')).toMatch(/^\*\*\w+\*\* MINE/);
    const sent = () => JSON.stringify(rig.model.requests.at(-1)?.messages);
    await rig.say('Hi');
    expect([sent().includes('MINE'), sent().includes('OURS')]).toEqual([true, true]);
    await rig.say('Hi', GROUP);
    expect([sent().includes('MINE'), sent().includes('OURS')]).toEqual([false, true]);
    await rig.say('Hi', { chatId: 'oc_2', senderId: 'ou_2' });
    expect([sent().includes('MINE'), sent().includes('OURS')]).toEqual([false, true]);
    expect(await command('/facts', { chatId: 'oc_2', senderId: 'ou_2' })).toMatch(/^No facts are saved/);
  });

  it('that the agent proposes are saved only after the sender approved them', async () => {
    rig.ports.tools = [rememberFactTool(rig.ports)];
    const input = { text: 'I use SI units.' };
    rig.model.answer = inTurn(calls({ name: 'rememberFact', input }), says('Saved.'));
    await rig.say('Remember my units.');
    expect(await command('/facts')).toMatch(/^No facts are saved/);
    await rig.say('/always 1 **');
    await rig.say('/allow 1');
    expect(await command('/facts')).toMatch(/^No facts are saved/);
    await rig.say('/approve 1');
    expect(await command('/facts')).toMatch(/I use SI units\.$/);
  });

  /** Returns the code of the fact "Added."; empty if it isn't saved. */
  async function codeOfAdded(): Promise<string> {
    return /\*\*(\w+)\*\* Added/.exec(await command('/facts'))?.[1] ?? '';
  }

  /** Handles a command in a worker that is killed at a call, then again; returns whether the first one lived. */
  async function sayKilled(text: string, lives: number): Promise<boolean> {
    const message = personMessage(text);
    const { platform, messageId } = message;
    const event = { platform, ids: [messageId], message };
    const process = killablePorts(rig, lives);
    const living = receiveEvent(process.ports, event).then(() => workOffQueue(process.ports));
    const hasLived = await Promise.race([living.then(() => true), process.died.then(() => false)]);
    process.bury();
    await Promise.allSettled([living]);
    rig.time.offsetMs += 20 * 60_000;
    await receiveEvent(rig.ports, event);
    await rig.settle();
    return hasLived;
  }

  const textsOf = (listed: string) => listed.split('\n').map((line) => line.replace(/^\S+ /, ''));

  it('are saved and deleted once, even if the worker is killed at any call and the message redelivered', async () => {
    const silenced = jest.spyOn(process.stdout, 'write').mockReturnValue(true); // dead processes report it
    await command('/remember Stays.');
    let hasLived = false;
    for (let lives = 0; !hasLived; lives += 3) {
      const hasAdded = await sayKilled('/remember Added.', lives);
      expect(textsOf(await command('/facts'))).toEqual(['Added.', 'Stays.']);
      const hasForgotten = await sayKilled(`/forget ${await codeOfAdded()}`, lives);
      expect(textsOf(await command('/facts'))).toEqual(['Stays.']);
      hasLived = hasAdded && hasForgotten;
    }
    silenced.mockRestore();
  });
});
