import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mcpRoutes } from '../../../functions/mcp/routes.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { type Handler, installRuntime } from '../../../infra/local/lambda-runtime.ts';
import { readServiceFile } from '../../../infra/local/service-file.ts';
import type { Template } from '../../../infra/stack/template.ts';
import { answerMcp } from '../../../lib/adapters/mcp/server.ts';
import { serve } from '../../../lib/http/serve.ts';
import type { McpOffer } from '../../../lib/ports/mcp.ts';
import { startCloudfront } from '../../support/fakes/fake-cloudfront.ts';
import { serveUntilDone } from '../../support/processes/serve-until-done.ts';
import { whenDone } from '../../support/temp-folder.ts';

installRuntime();

/** A second of CloudFront, of the comments, and of the tool: 60 s of silence are 1.2 s here. */
const SECOND_MS = 20;
const definition = readServiceFile(join(resolve(import.meta.dirname, '../../..'), 'serverless.yml'));
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
  const handlers: Record<string, Handler> = {
    mcp: serve(mcpRoutes as never, ports as never, { streaming: true }) as unknown as Handler,
    authorizer: (event) => ({
      ...{ principalId: 'v', context: { role: 'viewer', workspaceIds: 'null' } },
      policyDocument: allow((event as { methodArn: string }).methodArn),
    }),
  };
  const gateway = createGateway({ definition, load: async (name) => handlers[name] as Handler });
  const service = await serveUntilDone(gateway);
  const origins = { api: (path: string) => service + path.replace(/^\/dev/, '') };
  url = await startCloudfront(definition.resources as Template['Resources'], origins, {
    secondMs: SECOND_MS,
  });
});

function allow(Resource: string) {
  return {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource }],
  };
}

async function connect(mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: 'Bearer t' } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit }));
  whenDone(() => client.close());
  return client;
}

describe.each(['auto', 'legacy'] as const)(
  'a tool call of 75 s through CloudFront, without progress (%s)',
  (mode) => {
    it('returns its result to the client of the protocol, be it a failure', async () => {
      const client = await connect(mode);
      const calls = [{}, { fails: true }].map((input) =>
        client.callTool({ name: 'think', arguments: input }),
      );
      const [done, failed] = await Promise.all(calls);
      expect(done).toMatchObject({ content: [{ type: 'text', text: 'Owls.' }] });
      expect(failed).toMatchObject({ content: [{ type: 'text', text: 'No idea.' }], isError: true });
    });

    it('would be lost without the comments', async () => {
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
