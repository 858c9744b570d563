import { DescribeStackEventsCommand } from '@aws-sdk/client-cloudformation';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { findStack, physicalIds } from '../../infra/stack/cloudformation.ts';
import { deployService, removeService } from '../../infra/stack/deploy.ts';
import { readEarlierStack } from '../lanes/packaged-service.ts';
import { emulatorAddress } from '../support/emulator.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { apiClient } from './api-client.ts';
import { deployablePackage, type Place } from './deployable-template.ts';
import { type Deployed, deployKilledEverywhere, deployPackage, STAGE, target } from './stack.ts';

jest.setTimeout(120_000);

let place: Place;
let first: Deployed;

beforeAll(async () => {
  place = { mount: await tempFolder(), settings: {} };
});

/** The stage as API Gateway describes it. */
interface ApiStage {
  deploymentId: string;
  tracingEnabled: boolean;
  accessLogSettings: { destinationArn?: string };
  methodSettings: Record<string, { throttlingRateLimit: number }>;
}

async function readStage(): Promise<ApiStage> {
  const path = `restapis/${first.physicalId('ApiGatewayRestApi')}/stages/${STAGE}`;
  // MiniStack reads the account, the region, and the service from it, and doesn't check the signature.
  const authorization = 'AWS4-HMAC-SHA256 Credential=test/20260101/eu-west-1/apigateway/aws4_request';
  const answer = await fetch(`${emulatorAddress('MINISTACK_URL')}/${path}`, { headers: { authorization } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as ApiStage;
}

async function expectServed(): Promise<void> {
  expect(await apiClient(first.url).call('GET', '/api/health')).toMatchObject({ status: 200 });
  const stage = await readStage();
  const ids = await physicalIds(target.cloudFormation, target.name);
  const deployments = [...ids].filter(([id]) => id.startsWith('ApiGatewayDeployment'));
  expect(deployments.map(([, id]) => id)).toEqual([stage.deploymentId]);
  expect(stage).toMatchObject({
    tracingEnabled: true,
    accessLogSettings: { destinationArn: expect.stringContaining('/aws/api-gateway/') },
    methodSettings: { '*/*': { throttlingRateLimit: 200 }, '~1api~1health/GET': { throttlingRateLimit: 20 } },
  });
  expect(await failedDeletions()).toEqual([]);
}

/**
 * CloudFormation completes an update even if it couldn't delete the resources that were removed from the
 * template.
 */
async function failedDeletions(): Promise<string[]> {
  const { StackEvents = [] } = await target.cloudFormation.send(
    new DescribeStackEventsCommand({ StackName: target.name }),
  );
  return StackEvents.flatMap(({ ResourceStatus, LogicalResourceId, ResourceStatusReason }) =>
    ResourceStatus === 'DELETE_FAILED' ? `${LogicalResourceId}: ${ResourceStatusReason}` : [],
  );
}

describe('deployed stage', () => {
  beforeAll(async () => {
    first = await deployPackage(place, { read: readEarlierStack });
  });

  it("is updated by another package, and then uses that package's API deployment", async () => {
    await expectServed();
    const before = await readStage();
    await deployPackage(place);
    await expectServed();
    expect((await readStage()).deploymentId).not.toBe(before.deploymentId);
  });

  it('returns to an older package in the same way', async () => {
    const before = await readStage();
    await deployPackage(place, { read: readEarlierStack });
    await expectServed();
    expect((await readStage()).deploymentId).not.toBe(before.deploymentId);
  });

  it('keeps serving if a deployment fails, and can be deployed afterward', async () => {
    const before = await readStage();
    const broken = deployablePackage(place);
    const stage = Object.keys(broken.templates.functions.Resources).find((id) => id.endsWith('Stage')) ?? '';
    broken.templates.functions.Resources.Refused = {
      Type: 'AWS::ApiGateway::Stage',
      DependsOn: stage,
      Properties: { ...broken.templates.functions.Resources[stage]?.Properties },
    };
    await expect(deployService(target, broken)).rejects.toThrow('Stage already exists');
    expect(await findStack(target.cloudFormation, target.name)).toMatchObject({
      StackStatus: 'UPDATE_ROLLBACK_COMPLETE',
    });
    expect((await readStage()).deploymentId).toBe(before.deploymentId);
    await expectServed();
    await deployPackage(place);
    await expectServed();
  });

  it('is deployed by a retry, no matter how often the deployment was killed', async () => {
    await deployPackage(place, { read: readEarlierStack });
    expect(await deployKilledEverywhere(place)).toBeGreaterThan(2);
    await expectServed();
  });

  it('is removed', async () => {
    await removeService(target, { withData: true });
    expect(await findStack(target.cloudFormation, target.name)).toBeUndefined();
  });
});
