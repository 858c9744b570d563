import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { refusalTexts } from '../../cli/refusal-texts.ts';
import { whenDone } from '../support/temp-folder.ts';
import { personEnvironment, runWrs } from '../support/wrs.ts';

/** Starts a service that rejects every request with this code. */
async function startRefusing(code: string, status = 403, body = '{"error":"This needs the role member."}') {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-error-code': code });
    response.end(body);
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
  'wrs --json prints the code of an error, whatever the language (%s)',
  async (lang) => {
    const { code, stdout, stderr } = await refusalOf('role_required', lang);
    expect([code, stdout]).toEqual([4, '']);
    expect(JSON.parse(stderr)).toMatchObject({ status: 403, code: 'role_required' });
  },
);

it('wrs links to the documentation of the code at the service', async () => {
  const { stderr } = await refusalOf('role_required', 'C');
  expect(JSON.parse(stderr)).not.toHaveProperty('help');
  const url = await startRefusing('role_required');
  const env = { ...(await personEnvironment()), WRS_URL: `${url}/`, LANG: 'C' };
  const told = await runWrs(['token', 'list'], { env });
  expect(told.stderr).toMatch(new RegExp(` ${url}/api/docs/pages/reference/errors#role_required\n$`));
});

it('wrs --json passes on no malformed code', async () => {
  const { stderr } = await refusalOf('<b>not a code</b>', 'C');
  expect(JSON.parse(stderr)).toEqual({ error: expect.any(String), status: 403 });
});

const CHINESE = 'zh_CN.UTF-8';
/** A word of at least two letters, except typed names and the service's own message in brackets. */
const ENGLISH = /\b[A-Za-z]{2,}\b/;
const withoutNames = (text: string) =>
  text
    .replace(/^wrs: /, '')
    .replace(/\(This .*\)/, '')
    .replace(/`[^`]*`|WRS_TOKEN|http:\S+/g, '');

it.each([
  [401, 'invalid_credential'],
  [403, 'role_required'],
  [503, 'model_not_configured'],
  [503, 'code_of_a_later_release'],
  [418, 'code_of_a_later_release'],
])('wrs explains what to do about %s %s in the language of the message', async (status, code) => {
  const body = code === 'code_of_a_later_release' ? '{}' : undefined;
  const told = async (LANG: string) => {
    const env = { ...(await personEnvironment()), WRS_URL: await startRefusing(code, status, body), LANG };
    return (await runWrs(['token', 'list'], { env })).stderr.trim();
  };
  const chinese = await told(CHINESE);
  expect(chinese).toMatch(/[\u4e00-\u9fff]/);
  expect(withoutNames(chinese)).not.toMatch(ENGLISH);
  expect(await told('en_US.UTF-8')).not.toMatch(/[\u4e00-\u9fff]/);
});

it('wrs has every error hint in both languages, with the same values', () => {
  const [english, chinese] = ['en_US.UTF-8', CHINESE].map((LANG) => refusalTexts({ LANG }));
  const values = ['/one', '/two'];
  for (const [key, text] of Object.entries(english ?? {})) {
    const other = chinese?.[key as keyof typeof chinese] as (...given: unknown[]) => string;
    const [said, translated] = [(text as typeof other)(...values), other(...values)];
    expect([key, /[\u4e00-\u9fff]/.test(said), /[\u4e00-\u9fff]/.test(translated)]).toEqual([
      key,
      false,
      true,
    ]);
    for (const value of values)
      expect([key, translated.includes(value)]).toEqual([key, said.includes(value)]);
  }
});

it("wrs chooses the message for a stream's error by the error's code", async () => {
  const frames = [
    { type: 'error', errorText: 'The model is busy.' },
    { type: 'data-error', data: { code: 'model_not_configured' } },
  ];
  const server = createServer((request, response) => {
    const { url = '', method } = request;
    if (url.startsWith('/api/chat') && method === 'POST') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end(
        `${frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')}data: [DONE]\n\n`,
      );
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    if (url.startsWith('/api/workspaces?'))
      return response.end('[{"id":"w","name":"owls","rootPath":"/owls"}]');
    return response.end('{"aiAvailable":true}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => void server.close().closeAllConnections());
  const WRS_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...(await personEnvironment()), WRS_URL, LANG: CHINESE };
  const { code, stderr } = await runWrs(['ask', '--workspace', 'owls', '--no-sync', 'Why?'], { env });
  expect([code, stderr.trim()]).toEqual([
    1,
    'wrs: 尚未连接模型，管理员可以在设置中连接。 (The model is busy.)',
  ]);
});
