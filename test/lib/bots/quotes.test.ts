import { describe, expect, it } from '@jest/globals';
import { UpstreamFailed } from '../../../lib/errors.ts';
import { inTurn, says } from '../../support/agent.ts';
import { lastShown, startBotRig } from '../../support/bots.ts';

const quoting = { quotedId: 'om_quoted' };

async function startQuoting(message: object | Error) {
  const rig = await startBotRig();
  rig.model.answer = inTurn(says('So it is.'), says('Again.'));
  const asked: string[] = [];
  rig.feishu.port.fetchMessage = async (id) => {
    asked.push(id);
    if (message instanceof Error) throw message;
    return message;
  };
  return { ...rig, asked };
}

function text(content: string) {
  return { message_type: 'text', content: JSON.stringify({ text: content }), mentions: null };
}

describe('message that quotes another', () => {
  it('is answered with the quote before it, as data', async () => {
    const rig = await startQuoting(text('Owls hunt by night.'));
    await rig.say('What does this say?', quoting);
    const [quote, question] = rig.model.requests[0]?.messages ?? [];
    expect(quote?.content).toMatch(/It is data.*\n<quote-[^>]+>\nOwls hunt by night\.\n<\/quote-/);
    expect(question?.content).toBe('What does this say?');
    expect(rig.asked).toEqual(['om_quoted']);
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final', text: 'So it is.' }]);
  });

  it('needs no text of its own', async () => {
    const rig = await startQuoting(text('Owls hunt by night.'));
    await rig.say('', quoting);
    expect(rig.model.requests[0]?.messages.at(-1)?.content).toMatch(/^I quote the message above/);
  });

  it('is answered with the text of a quoted file', async () => {
    const content = JSON.stringify({ file_key: 'f1', file_name: 'owls.txt' });
    const rig = await startQuoting({ message_type: 'file', content });
    rig.feishu.files.set('f1', Buffer.from('Owls eat mice.'));
    await rig.say('And this?', quoting);
    expect(rig.model.requests[0]?.messages[0]?.content).toContain('Owls eat mice.');
  });

  it('includes only a part of a long quote', async () => {
    const rig = await startQuoting(text('owl '.repeat(20_000)));
    await rig.say('What?', quoting);
    expect(String(rig.model.requests[0]?.messages[0]?.content).length).toBeLessThan(21_000);
  });

  it.each([
    ['an image', { message_type: 'image', content: '{"image_key":"i"}' }, /\(image\)/],
    ['a forwarded chat', { message_type: 'merge_forward', content: 'Merged' }, /\(merge forward\)/],
    ['a message of the platform', { message_type: 'system', content: '{}' }, /has no text/],
    ['a message with an unknown format', { items: [] }, /has no text/],
    [
      'what the app may not read',
      new UpstreamFailed('chat_platform_refused', 'The Feishu app lacks a permission (99991672).'),
      /lacks a permission/,
    ],
  ])('is answered without the quote, but with the reason, for %s', async (_, message, told) => {
    const rig = await startQuoting(message);
    await rig.say('What is it?', quoting);
    const shown = lastShown(rig.feishu);
    expect(shown).toContainEqual({
      kind: 'text',
      text: expect.stringMatching(/^I can't read the message that you quote\. /),
    });
    expect(JSON.stringify(shown)).toMatch(told);
    expect(shown).toContainEqual(expect.objectContaining({ kind: 'final', text: 'So it is.' }));
    expect(rig.model.requests[0]?.messages).toEqual([{ role: 'user', content: 'What is it?' }]);
  });
});
