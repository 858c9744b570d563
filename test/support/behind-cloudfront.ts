import { join, resolve } from 'node:path';
import { createGateway, type GatewayOptions } from '../../infra/local/gateway.ts';
import type { Handler } from '../../infra/local/lambda-runtime.ts';
import { readServiceFile } from '../../infra/local/service-file.ts';
import type { Template } from '../../infra/stack/template.ts';
import type { Role } from '../../lib/api-contract/roles.ts';
import { startCloudfront } from './fakes/fake-cloudfront.ts';
import { serveUntilDone } from './processes/serve-until-done.ts';

/** The milliseconds that stand for one second, for CloudFront and these tests: 60 s of silence are 1.2 s. */
export const SECOND_MS = 20;

const FILE = join(resolve(import.meta.dirname, '../..'), 'serverless.yml');

interface Options extends Pick<GatewayOptions, 'intercept'> {
  /** The role of every authenticated caller. */
  role: Role;
}

/** Starts a function as it is deployed, behind the gateway and CloudFront; returns the URLs of both. */
export async function startBehindCloudfront(
  name: string,
  handler: unknown,
  { role, intercept }: Options,
): Promise<{ url: string; gateway: string }> {
  const definition = readServiceFile(FILE);
  const authorizer: Handler = (event) => ({
    principalId: 'me',
    context: { role, workspaceIds: 'null' },
    policyDocument: allow((event as { methodArn: string }).methodArn),
  });
  const handlers: Record<string, Handler> = { [name]: handler as Handler, authorizer };
  const load = async (wanted: string) => handlers[wanted] as Handler;
  const options = { definition, load, ...(intercept && { intercept }) };
  const gateway = await serveUntilDone(createGateway(options));
  const origins = { api: (path: string) => gateway + path.replace(/^\/dev/, '') };
  const resources = definition.resources as Template['Resources'];
  return { gateway, url: await startCloudfront(resources, origins, { secondMs: SECOND_MS }) };
}

function allow(Resource: string) {
  const Statement = [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource }];
  return { Version: '2012-10-17', Statement };
}
