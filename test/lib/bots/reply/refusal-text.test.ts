import { describe, expect, it } from '@jest/globals';
import { UpstreamFailed } from '../../../../lib/errors.ts';

import { lastShown, startBotRig } from '../../../support/bots.ts';

const NOTHING = 'Nothing is waiting for your approval.';

describe('error text', () => {
  it('is in English for a person who writes English', async () => {
    const rig = await startBotRig();
    await rig.say('/approve now');
    expect(lastShown(rig.feishu)).toMatchObject([{ ok: false, text: NOTHING }]);
  });

  it('is in Chinese for a person who writes Chinese, with the English sentence below', async () => {
    const rig = await startBotRig();
    await rig.say('/deny 周五不行');
    expect(lastShown(rig.feishu)).toMatchObject([{ ok: false, text: `没有等待你批准的请求。\n${NOTHING}` }]);
  });

  it('is in the language of the name for a file', async () => {
    const rig = await startBotRig();
    rig.feishu.files.set('f', Buffer.from([0, 1, 2, 0xff]));
    await rig.say({ type: 'file', key: 'f', name: '数据.bin' });
    const [shown] = lastShown(rig.feishu);
    expect(shown).toMatchObject({
      kind: 'error',
      text: expect.stringMatching(/^无法读取此类消息。.*\n数据\.bin isn't/s),
    });
  });

  it('is chosen by the code of the last event for a failed run', async () => {
    const rig = await startBotRig();
    rig.model.answer = () => {
      throw new UpstreamFailed('model_timeout', 'Gemini took too long. Try again.');
    };
    await rig.say('猫头鹰什么时候捕猎？');
    expect(lastShown(rig.feishu)).toMatchObject([
      { kind: 'error', text: '模型响应超时，请重试。\nGemini took too long. Try again.' },
    ]);
  });
});
