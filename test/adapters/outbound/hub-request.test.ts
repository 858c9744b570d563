import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { hubRequests } from '../../../lib/adapters/outbound/hub-request.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A hub on which the nth request of a connection fails, as `fails` specifies. Counts the requests. */
async function startHub(fails: (nth: number, total: number) => boolean) {
  const ofSocket = new WeakMap<Socket, number>();
  let total = 0;
  const server = createServer(({ socket }, response) => {
    const nth = (ofSocket.get(socket) ?? 0) + 1;
    ofSocket.set(socket, nth);
    total++;
    if (fails(nth, total)) socket.resetAndDestroy();
    else response.end('{"ok":true}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { json } = hubRequests({ name: 'The hub', baseUrl, trusted: true });
  return { ask: () => json({ url: new URL(baseUrl), credentials: {} }), total: () => total };
}

describe('hubRequests', () => {
  it('retries on another connection if the hub closes a kept one', async () => {
    const { ask, total } = await startHub((nth) => nth > 1);
    expect((await ask()).body).toEqual({ ok: true });
    expect((await ask()).body).toEqual({ ok: true });
    expect(total()).toBe(3);
  });

  it('gives up on a hub that closes every connection', async () => {
    const { ask, total } = await startHub(() => true);
    await expect(ask()).rejects.toMatchObject({ message: expect.stringContaining("Can't reach The hub") });
    expect(total()).toBe(2);
  });
});
