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

  it('are saved and deleted once, even if the worker is killed at any call and the message redelivered', async () => {
    const silenced = jest.spyOn(process.stdout, 'write').mockReturnValue(true); // dead processes report it
    await command('/remember Stays.');
    for (const text of ['/remember Added.', '/forget']) {
      for (let lives = 0; ; lives += 3) {
        const listed = await command('/facts');
        const code = /\*\*(\w+)\*\* Added/.exec(listed)?.[1] ?? '';
        const message = personMessage(text === '/forget' ? `/forget ${code}` : text);
        const { platform, messageId } = message;
        const process = killablePorts(rig, lives);
        const living = receiveEvent(process.ports, { platform, ids: [messageId], message }).then(() =>
          workOffQueue(process.ports),
        );
        const ended = await Promise.race([living.then(() => true), process.died.then(() => false)]);
        process.bury();
        await Promise.allSettled([living]);
        rig.time.offsetMs += 20 * 60_000;
        await receiveEvent(rig.ports, { platform, ids: [messageId], message });
        await rig.settle();
        const facts = (await command('/facts')).split('\n').map((line) => line.replace(/^\S+ /, ''));
        expect(facts).toEqual(text === '/forget' ? ['Stays.'] : ['Added.', 'Stays.']);
        if (ended) break;
        await command(
          text === '/forget'
            ? '/remember Added.'
            : `/forget ${/\*\*(\w+)\*\* Added/.exec(await command('/facts'))?.[1]}`,
        );
      }
    }
    silenced.mockRestore();
  });
});
