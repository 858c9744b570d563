import { expect, it } from '@jest/globals';
import { feishuChatPlatform } from '../../../../lib/adapters/feishu/chat-platform.ts';
import { feishuClient } from '../../../../lib/adapters/feishu/client.ts';
import { push } from '../../../../lib/bots/feishu/push.ts';
import { startFakeFeishu } from '../../../support/fakes/fake-feishu.ts';
import { whenDone } from '../../../support/temp-folder.ts';

const feishu = await startFakeFeishu();
whenDone(() => feishu.stop());
const { appId, appSecret, url: baseUrl } = feishu;
const platform = feishuChatPlatform(feishuClient({ appId, appSecret, baseUrl }));
const note = { chatId: 'oc_1', title: 'Nightly', content: 'done', type: 'card' as const };

// Repeats the call, as after a failure that hid a message that Feishu had already shown.
it('push sends each message once per key of the caller, and every message without a key', async () => {
  const first = await push(platform, note, 'nightly-1');
  expect(await push(platform, note, 'nightly-1')).toEqual(first);
  expect(feishu.messages).toHaveLength(1);
  await push(platform, { ...note, content: 'failed' }, 'nightly-1');
  await push(platform, note);
  await push(platform, note);
  expect(feishu.messages).toHaveLength(4);
});
