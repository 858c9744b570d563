import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CreatedToken } from '../../lib/tokens/schema.ts';
import { authorizerEvent } from '../package/api-event.ts';
import { deployTruer, type TruerDeployment } from './truer-deployment.ts';

const CALLS = 12;
const NEW_EACH = 3;
const FROZEN_MS = 2000;
/**
 * The SDK retries on a new connection, after a backoff of at most 100 ms, and the authorizer has little
 * processor time.
 */
const AGAIN_WITHIN_MS = 2000;

let deployment: TruerDeployment;
let secret: string;
beforeAll(async () => {
  deployment = await deployTruer();
  const body = { name: 'test', role: 'member' };
  const request = { method: 'POST', resource: '/api/tokens', body };
  secret = (await deployment.call<CreatedToken>('tokens', request)).body.secret;
}, 120_000);

async function authorize(): Promise<number> {
  const instance = await deployment.instance('authorizer');
  await instance.idle();
  const started = performance.now();
  const { payload } = await instance.invoke(authorizerEvent({ Authorization: `Bearer ${secret}` }));
  expect(payload).toMatchObject({ context: { role: 'member' } });
  return performance.now() - started;
}

describe('execution environment', () => {
  it.each(['end', 'reset'] as const)(
    'answers after its connections were lost while it was frozen: %s',
    async (how) => {
      await authorize();
      const { dynamodb } = deployment.proxies;
      const before = dynamodb.connections;
      dynamodb.dropConnections(how);
      await sleep(FROZEN_MS);
      expect(await authorize()).toBeLessThan(AGAIN_WITHIN_MS);
      expect(dynamodb.connections).toBeGreaterThan(before);
    },
  );

  it('can be a new one at any call', async () => {
    for (let call = 0; call < CALLS; call++) {
      if (call % NEW_EACH === 0) await deployment.renew('authorizer');
      await authorize();
    }
  });

  it('opens its connection to the records during its start', async () => {
    await deployment.renew('authorizer');
    const { dynamodb } = deployment.proxies;
    await (await deployment.instance('authorizer')).idle();
    const before = dynamodb.connections;
    await authorize();
    expect(dynamodb.connections).toBe(before);
  });
});
