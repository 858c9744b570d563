import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { whenDone } from '../support/temp-folder.ts';
import { personEnvironment, runWrs } from '../support/wrs.ts';

/** A service that refuses everything with this code. */
async function startRefusing(code: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json', 'x-error-code': code });
    response.end('{"error":"This needs the role member."}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function refusalOf(code: string, LANG: string) {
  const env = { ...(await personEnvironment()), WRS_URL: await startRefusing(code), LANG };
  return runWrs(['token', 'list', '--json'], { env });
}

it.each(['en_US.UTF-8', 'zh_CN.UTF-8'])(
  '--json has the code of a refusal, whatever the language (%s)',
  async (lang) => {
    const { code, stdout, stderr } = await refusalOf('role_required', lang);
    expect([code, stdout]).toEqual([4, '']);
    expect(JSON.parse(stderr)).toMatchObject({ status: 403, code: 'role_required' });
  },
);

it('--json passes on no code that is none', async () => {
  const { stderr } = await refusalOf('<b>not a code</b>', 'C');
  expect(JSON.parse(stderr)).toEqual({ error: expect.any(String), status: 403 });
});
