import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openFeishuConnection } from '../../../lib/adapters/feishu/connection.ts';
import type { ProxySettings } from '../../../lib/adapters/outbound/proxy.ts';
import { startConnectProxy } from '../../support/fakes/connect-proxy.ts';
import { type FakeFeishu, startFakeFeishu } from '../../support/fakes/fake-feishu.ts';
import { feishuMessageEvent } from '../../support/fakes/feishu-events.ts';
import { eventually } from '../../support/sync.ts';

let feishu: FakeFeishu;
let close = () => {};
beforeEach(async () => {
  feishu = await startFakeFeishu();
});
afterEach(async () => {
  close();
  await feishu.stop();
});

/** Resolves when the connection is open. */
async function connect(baseUrl: string, proxy: ProxySettings): Promise<void> {
  const { appId, appSecret } = feishu;
  close = await openFeishuConnection({ baseUrl, appId, appSecret, proxy }, async () => ({ taken: true }));
  await eventually(
    async () => feishu.sockets.connections,
    (count) => count === 1,
  );
}

describe('openFeishuConnection with a proxy', () => {
  it('uses the proxy for plain HTTP and for the WebSocket', async () => {
    // Feishu's fake acts as the proxy, because the host name doesn't resolve.
    await connect('http://open.ima.example', { http: feishu.url, https: undefined, no: undefined });
    expect(await feishu.sockets.deliver(feishuMessageEvent(''))).toMatchObject({ data: { taken: true } });
  });

  it('connects to this host without the proxy', async () => {
    const { url, asked } = await startConnectProxy(1);
    await connect(feishu.url, { http: url, https: url, no: 'open.ima.example' });
    expect(asked).toEqual([]);
  });
});
