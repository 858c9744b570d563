import {
  CloudFormationClient,
  CreateChangeSetCommand,
  type CreateChangeSetCommandInput,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, it } from '@jest/globals';
import { physicalIds } from '../../../infra/stack/cloudformation.ts';
import { deployService, type Target } from '../../../infra/stack/deploy.ts';
import type { Package } from '../../../infra/stack/package.ts';

interface FakeStack {
  status: string;
  outputs?: Record<string, string>;
  parameters?: Record<string, string>;
  /** Status by logical id. */
  resources: Record<string, string>;
}

const NAME = 'workspace-research-half';
const NONE = { Resources: {} };
const PACKAGE: Package = {
  templates: { data: NONE, functions: NONE, console: NONE, alarms: NONE },
  start: NONE,
  artifacts: [],
  page: undefined,
  rollbackMinutes: 5,
};

/**
 * CloudFormation's answers for stacks that don't change. Every other command is stored in `asked`, and ends
 * there.
 */
function fakeTarget(stacks: Record<string, FakeStack>, others: Record<string, unknown> = {}) {
  const asked: string[] = [];
  const told: string[] = [];
  const answers: Record<string, (stack: FakeStack) => unknown> = {
    DescribeStacksCommand: ({ status, outputs = {}, parameters = {} }) => ({
      Stacks: [
        {
          StackStatus: status,
          Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
            ...{ ParameterKey, ParameterValue },
          })),
          Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
        },
      ],
    }),
    ListStackResourcesCommand: ({ resources }) => ({
      StackResourceSummaries: Object.entries(resources).map(([LogicalResourceId, ResourceStatus]) => ({
        ...{ LogicalResourceId, ResourceStatus },
        PhysicalResourceId: `${LogicalResourceId}-1`,
      })),
    }),
  };
  const send = async (command: { input: { StackName: string } }) => {
    const { StackName } = command.input;
    if (command.constructor.name in others) return others[command.constructor.name];
    const answer = answers[command.constructor.name];
    if (answer === undefined) {
      asked.push(`${command.constructor.name} ${StackName}`);
      throw new Error('asked');
    }
    const stack = stacks[StackName];
    if (stack === undefined) throw new Error(`Stack with id ${StackName} does not exist`);
    return answer(stack);
  };
  const cloudFormation = Object.assign(new CloudFormationClient({ region: 'eu-west-1' }), { send });
  const cloudWatch = Object.assign(new CloudWatchClient({ region: 'eu-west-1' }), { send });
  const tell = (line: string) => void told.push(line);
  const lambda = Object.assign(new LambdaClient({ region: 'eu-west-1' }), { send });
  const target: Target = { cloudFormation, cloudWatch, lambda, s3: {} as never, name: NAME, tell };
  return { target, asked, told };
}

const FUNCTIONS: FakeStack = {
  status: 'UPDATE_COMPLETE',
  outputs: { UploadQueueArn: 'arn:aws:sqs:eu-west-1:0:upload' },
  resources: { ServerlessDeploymentBucket: 'CREATE_COMPLETE', ApiGatewayRestApi: 'CREATE_COMPLETE' },
};

/** The answer for a stage that matches its templates. */
const NOTHING_TO_CHANGE = {
  GetTemplateCommand: { TemplateBody: '{"Resources":{}}' },
  SetStackPolicyCommand: {},
  UpdateTerminationProtectionCommand: {},
  CreateChangeSetCommand: {},
  DescribeChangeSetCommand: {
    Status: 'FAILED',
    StatusReason: "The submitted information didn't contain changes.",
  },
  DeleteChangeSetCommand: {},
};

describe('the order of the stacks', () => {
  it('puts the alarms before CloudFront, which takes a quarter of an hour to create or delete', async () => {
    const whole = FUNCTIONS;
    const data = { status: 'CREATE_COMPLETE', resources: { Table: 'CREATE_COMPLETE' } };
    const other = { status: 'CREATE_COMPLETE', resources: {} };
    const { target, asked, told } = fakeTarget(
      { [NAME]: whole, [`${NAME}-data`]: data, [`${NAME}-console`]: other, [`${NAME}-alarms`]: other },
      NOTHING_TO_CHANGE,
    );
    await expect(deployService(target, PACKAGE)).rejects.toThrow('asked');
    expect(told.filter((line) => line.endsWith('is unchanged'))).toEqual(
      [`${NAME}-data`, NAME, `${NAME}-alarms`].map((stack) => `${stack} is unchanged`),
    );
    expect(asked).toEqual([`DeleteStackCommand ${NAME}-console`]);
  });
});

describe('a stage that a killed deployment is still changing', () => {
  it('is read after every stack is stable, so that functions of a failed creation are created again', async () => {
    const functions = { status: 'ROLLBACK_IN_PROGRESS', resources: {} };
    const { target, asked, told } = fakeTarget({ [NAME]: functions }, { ...NOTHING_TO_CHANGE });
    const send = target.cloudFormation.send.bind(target.cloudFormation);
    Object.assign(target, { every: 0.01 });
    let looks = 0;
    Object.assign(target.cloudFormation, {
      send: (command: { input: { StackName: string } }) => {
        const isLook =
          command.constructor.name === 'DescribeStacksCommand' && command.input.StackName === NAME;
        if (isLook && ++looks === 3) functions.status = 'ROLLBACK_COMPLETE';
        return send(command as never);
      },
    });
    await expect(deployService(target, PACKAGE)).rejects.toThrow('asked');
    expect(told[0]).toContain(`${NAME} is waiting`);
    expect(asked).toEqual([`DeleteStackCommand ${NAME}`]);
  });
});

describe('the key of the file system', () => {
  const KEY = 'FileSystemKeyArn';
  const data = { Resources: {}, Parameters: { [KEY]: { Type: 'String', Default: 'arn:of-the-stage' } } };
  const proposed = async (stacks: Record<string, FakeStack>) => {
    const seen: { ParameterKey: string; ParameterValue: string }[] = [];
    const { target } = fakeTarget(stacks, {
      get CreateChangeSetCommand() {
        throw new Error('proposed');
      },
    });
    const send = target.cloudFormation.send.bind(target.cloudFormation);
    Object.assign(target.cloudFormation, {
      send: (command: { input: { Parameters?: typeof seen } }) => {
        seen.push(...(command.input.Parameters ?? []));
        return send(command as never);
      },
    });
    const pack = { ...PACKAGE, templates: { ...PACKAGE.templates, data } };
    await expect(deployService(target, pack)).rejects.toThrow('proposed');
    return seen;
  };
  it('is the key of the stage if the stage is new', async () => {
    expect(await proposed({})).toEqual([]);
  });

  it('stays the key used at its creation', async () => {
    const held: Record<string, FakeStack> = {
      [`${NAME}-data`]: {
        status: 'UPDATE_COMPLETE',
        resources: { Table: 'CREATE_COMPLETE' },
        parameters: { [KEY]: 'arn:of-then' },
      },
    };
    expect(await proposed(held)).toEqual([{ ParameterKey: KEY, ParameterValue: 'arn:of-then' }]);
  });
});

describe('a change set', () => {
  /** Returns the input of each change set that a deployment of a stage in this state proposes. */
  async function proposed(stacks: Record<string, FakeStack>) {
    const parameters = { UploadQueueArn: { Type: 'String' }, HoldsData: { Type: 'String' } };
    const templates = { ...PACKAGE.templates, data: { Resources: {}, Parameters: parameters } };
    const { target } = fakeTarget(stacks, NOTHING_TO_CHANGE);
    const inputs: CreateChangeSetCommandInput[] = [];
    const { send } = target.cloudFormation;
    target.cloudFormation.send = ((command: object) => {
      if (command instanceof CreateChangeSetCommand) inputs.push(command.input);
      return send(command as never);
    }) as typeof send;
    await deployService(target, { ...PACKAGE, templates }).catch(() => undefined);
    return inputs;
  }
  const nothing = { status: 'UPDATE_COMPLETE', resources: {} };
  const whole = {
    ...{ [NAME]: FUNCTIONS },
    ...{ [`${NAME}-data`]: { status: 'CREATE_COMPLETE', resources: { Table: 'CREATE_COMPLETE' } } },
    ...{ [`${NAME}-alarms`]: nothing, [`${NAME}-console`]: nothing },
  };

  it('has the tags of service, stage, and deployment', async () => {
    const inputs = await proposed(whole);
    expect(inputs.map(({ StackName }) => StackName)).toEqual([`${NAME}-data`, NAME, `${NAME}-alarms`]);
    for (const { Tags } of inputs) {
      expect(Tags).toEqual([
        { Key: 'service', Value: 'workspace-research' },
        { Key: 'stage', Value: 'half' },
        { Key: 'deployment', Value: NAME },
      ]);
    }
  });

  it('names alarms for the function stack only, and clears those of earlier deployments elsewhere', async () => {
    const inputs = await proposed(whole);
    expect(inputs.map(({ RollbackConfiguration }) => RollbackConfiguration)).toEqual([
      undefined,
      { RollbackTriggers: [], MonitoringTimeInMinutes: 0 },
      undefined,
    ]);
  });

  it.each([
    ['exists, so that its table is protected', whole, 'true'],
    ['does not exist, so that a failed creation can be undone', {}, 'false'],
    [
      'failed during its creation',
      { [`${NAME}-data`]: { status: 'ROLLBACK_FAILED', resources: { Table: 'DELETE_COMPLETE' } } },
      'false',
    ],
  ])('reports to the data stack whether the stage %s', async (_when, stacks, ParameterValue) => {
    const [data] = await proposed(stacks);
    expect(data?.Parameters).toContainEqual({ ParameterKey: 'HoldsData', ParameterValue });
  });
});

describe('the list of resources in a stack', () => {
  it('omits resources that were deleted before the deletion failed, such as a bucket', async () => {
    const resources = { ServerlessDeploymentBucket: 'DELETE_COMPLETE', Vpc: 'DELETE_FAILED' };
    const { target } = fakeTarget({ [NAME]: { status: 'DELETE_FAILED', resources } });
    expect(await physicalIds(target.cloudFormation, NAME)).toEqual(new Map([['Vpc', 'Vpc-1']]));
  });
});
