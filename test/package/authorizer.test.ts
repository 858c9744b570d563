import { beforeAll, describe, expect, it } from '@jest/globals';
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import type { CreatedToken } from '../../lib/tokens/schema.ts';
import { authorizerEvent } from './api-event.ts';
import { type Deployment, deploy } from './deployment.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await deploy();
}, 120_000);

async function authorize(credential?: string) {
  const headers: Record<string, string> =
    credential === undefined ? {} : { Authorization: `Bearer ${credential}` };
  return (await deployment.instance('authorizer')).invoke(authorizerEvent(headers));
}

async function createToken(fields: Record<string, unknown> = {}): Promise<CreatedToken> {
  const body = { name: 'test', role: 'member', ...fields };
  const request = { method: 'POST', resource: '/api/tokens', body };
  return (await deployment.call<CreatedToken>('tokens', request)).body;
}

describe('the packaged authorizer', () => {
  it('allows the holder of a token to call the whole API, and identifies the holder', async () => {
    const { id, secret } = await createToken();
    const result = (await authorize(secret)).payload as APIGatewayAuthorizerResult;
    expect(result).toMatchObject({ principalId: id, context: { role: 'member', workspaceIds: 'null' } });
    expect(result.policyDocument.Statement).toEqual([
      {
        Action: 'execute-api:Invoke',
        Effect: 'Allow',
        Resource: 'arn:aws:execute-api:eu-west-1:000000000000:api/test/*',
      },
    ]);
  });

  it.each([
    ['none', undefined],
    ['one of another kind', 'hello'],
    ['an unknown one', `wrs_${'x'.repeat(43)}`],
  ])('returns Unauthorized for this credential: %s', async (_, credential) => {
    expect((await authorize(credential)).error).toMatchObject({ errorMessage: 'Unauthorized' });
  });

  it('refuses a token from the moment it is revoked', async () => {
    const { id, secret } = await createToken();
    expect((await authorize(secret)).payload).toMatchObject({ principalId: id });
    const params = { tokenId: id };
    const revoking = { method: 'DELETE', resource: '/api/tokens/{tokenId}', params };
    expect((await deployment.call('tokens', revoking)).status).toBe(200);
    expect((await authorize(secret)).error).toMatchObject({ errorMessage: 'Unauthorized' });
  });
});
