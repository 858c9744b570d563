import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mcpRoutes } from '../../../functions/mcp/routes.ts';
import { installRuntime } from '../../../infra/local/lambda-runtime.ts';
import { answerMcp } from '../../../lib/adapters/mcp/server.ts';
import { serve } from '../../../lib/http/serve.ts';
import type { McpOffer } from '../../../lib/ports/mcp.ts';
import { SECOND_MS, startBehindCloudfront } from '../../support/behind-cloudfront.ts';
import { whenDone } from '../../support/temp-folder.ts';

installRuntime();

const offer = {
  ...{ title: 'Slow', version: '1', instructions: '' },
  tools: [
    {
      ...{ name: 'think', title: 'Think', description: 'Thinks.' },
      ...{ inputSchema: { properties: {} }, hints: { readOnly: true, openWorld: false } },
    },
  ],
  callTool: async (_name: string, { fails }: { fails?: boolean }) => {
    await sleep(75 * SECOND_MS);
    return { texts: [fails ? 'No idea.' : 'Owls.'], isError: fails === true };
  },
} as unknown as McpOffer;

let keepAliveMs = 15 * SECOND_MS;
let url: string;
beforeAll(async () => {
  const ports = {
    ...{ origins: null, version: '1', tools: [] },
    answerMcp: (request: Request) => answerMcp(request, offer, { keepAliveMs }),
  };
  const handler = serve(mcpRoutes as never, ports as never, { streaming: true });
  ({ url } = await startBehindCloudfront('mcp', handler, { role: 'viewer' }));
});

async function connect(mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: 'Bearer t' } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit }));
  whenDone(() => client.close());
  return client;
}

describe.each(['auto', 'legacy'] as const)(
  'tool call of 75 s through CloudFront, without progress (%s)',
  (mode) => {
    it('returns its result to the MCP client, even a failure', async () => {
      const client = await connect(mode);
      const calls = [{}, { fails: true }].map((input) =>
        client.callTool({ name: 'think', arguments: input }),
      );
      const [done, failed] = await Promise.all(calls);
      expect(done).toMatchObject({ content: [{ type: 'text', text: 'Owls.' }] });
      expect(failed).toMatchObject({ content: [{ type: 'text', text: 'No idea.' }], isError: true });
    });

    it('would be lost without keep-alive comments', async () => {
      const client = await connect(mode);
      keepAliveMs = 0;
      try {
        const lost = client.callTool({ name: 'think', arguments: {} }, { timeout: 100 * SECOND_MS });
        await expect(lost).rejects.toThrow();
      } finally {
        keepAliveMs = 15 * SECOND_MS;
      }
    });
  },
);
