import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startConnectProxy } from '../../support/fakes/connect-proxy.ts';
import { type FakeFeishu, startFakeFeishu } from '../../support/fakes/fake-feishu.ts';
import { encodeFrame } from '../../support/fakes/fake-feishu-socket.ts';
import { feishuMessageEvent, feishuPressEvent } from '../../support/fakes/feishu-events.ts';
import { makeCertificate } from '../../support/fakes/git-server.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

let feishu: FakeFeishu;

beforeAll(async () => {
  feishu = await startFakeFeishu();
  whenDone(() => feishu.stop());
});

function start(env: Record<string, string>): Promise<Service> {
  return startService({
    IMA_BOT_ENABLED: 'true',
    IMA_BASE_URL: feishu.url,
    IMA_APP_ID: feishu.appId,
    IMA_APP_SECRET: feishu.appSecret,
    ...env,
  });
}

/** Starts Feishu under a host name with HTTPS. */
async function startTls(name: string): Promise<{ port: number; caFile: string }> {
  const { caFile, keyFile } = await makeCertificate(await tempFolder(), name);
  const server = createServer({ cert: readFileSync(caFile), key: readFileSync(keyFile) }, (socket) => {
    const platform = connect(Number(new URL(feishu.url).port), '127.0.0.1');
    socket.pipe(platform).pipe(socket);
    for (const end of [socket, platform]) end.on('error', () => {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => void server.close());
  return { port: (server.address() as AddressInfo).port, caFile };
}

const connections = (count: number) =>
  eventually(
    async () => feishu.sockets.connections,
    (open) => open === count,
  );
const shown = (count: number) =>
  eventually(
    async () => feishu.messages,
    (messages) => messages.length >= count,
  );

it('fake Feishu sends the same frames as Feishu', () => {
  const { feishu } = JSON.parse(
    readFileSync(new URL('../../golden/bot-vectors.json', import.meta.url), 'utf8'),
  ) as { feishu: { wsPingFrame: { service: number; hex: string } } };
  const { service, hex } = feishu.wsPingFrame;
  const frame = { service, method: 0, headers: { type: 'ping' }, payload: Buffer.alloc(0) };
  expect(encodeFrame(frame).toString('hex')).toBe(hex);
});

describe('IMA_CONNECTION=websocket', () => {
  it('receives events from the connection, and reconnects after a failure', async () => {
    const service = await start({ IMA_CONNECTION: 'websocket' });
    await connections(1);
    const event = feishuMessageEvent('', { content: { text: '/help' } });
    await eventually(
      () => feishu.sockets.deliver(event),
      ({ code }) => code === 200,
    );
    expect((await shown(1))[0]?.card?.header.title.content).toBe('✅ /help');

    feishu.sockets.drop();
    await connections(1);
    expect(await feishu.sockets.deliver(event)).toMatchObject({ code: 200 }); // redelivered: no second reply
    expect(
      await feishu.sockets.deliver(feishuMessageEvent('', { content: { text: '/mode ask' } })),
    ).toMatchObject({
      code: 200,
    });
    expect((await shown(2)).map(({ card }) => card?.header.title.content)).toEqual(['✅ /help', '✅ /mode']);

    const press = feishuPressEvent('', { value: { approvalId: 'a', approved: true } });
    expect(await feishu.sockets.deliver(press)).toMatchObject({
      code: 200,
      data: { toast: { type: 'info' } },
    });
    expect(await service.stop()).toBe(0);
    await connections(0);
    expect(service.output()).not.toContain(feishu.appSecret);
  });

  it("uses the proxy, which resolves Feishu's host name", async () => {
    const { port, caFile } = await startTls('open.ima.example');
    const proxy = await startConnectProxy(port);
    feishu.socketScheme = 'wss';
    feishu.messages = [];
    const service = await start({
      IMA_CONNECTION: 'websocket',
      IMA_BASE_URL: 'https://open.ima.example',
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: caFile,
    });
    await connections(1);
    expect(
      await feishu.sockets.deliver(feishuMessageEvent('', { content: { text: '/help' } })),
    ).toMatchObject({
      code: 200,
    });
    await shown(1);
    expect(new Set(proxy.asked)).toEqual(new Set(['open.ima.example:443']));
    expect(await service.stop()).toBe(0);
    feishu.socketScheme = 'ws';
  });

  it.each([
    ['the webhook is chosen', {}],
    ['the bot is disabled', { IMA_CONNECTION: 'websocket', IMA_BOT_ENABLED: 'false' }],
    ['IMA_APP_ID is invalid', { IMA_CONNECTION: 'websocket', IMA_APP_ID: 'cli_x' }],
    ['the secret is missing', { IMA_CONNECTION: 'websocket', IMA_APP_SECRET: '' }],
  ])('opens no connection if %s, and the service runs', async (_, env) => {
    feishu.socketRequests = 0;
    const service = await start(env);
    expect((await service.call('GET', '/api/health')).status).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(feishu.socketRequests).toBe(0);
  });

  it('reports that Feishu rejects the connection, without the secret, and the service runs', async () => {
    const service = await start({ IMA_CONNECTION: 'websocket', IMA_APP_SECRET: 'wrong-secret' });
    const told = (text: string) => text.includes('failed to connect to Feishu');
    await eventually(async () => service.output(), told);
    expect((await service.call('GET', '/api/health')).status).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(service.output()).not.toContain('wrong-secret');
  });
});
