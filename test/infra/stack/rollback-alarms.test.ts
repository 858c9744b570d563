import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../../infra/local/service-file.ts';
import {
  type AlarmTarget,
  explainRollback,
  findRollbackAlarms,
  ROLLBACK_ALARMS,
} from '../../../infra/stack/rollback-alarms.ts';

const root = resolve(import.meta.dirname, '../../..');
const STACK = 'workspace-research-x-alarms';
const NONE = { RollbackTriggers: [], MonitoringTimeInMinutes: 0 };

type Earlier = Record<string, { before: string; at: number }>;

/**
 * A target whose alarm stack has these alarms in these states. `gone` are alarms in the stack that CloudWatch
 * doesn't have. `earlier` says when an alarm got its state, and from which state.
 */
function targetWith(
  states: Record<string, string> | undefined,
  gone: string[] = [],
  earlier: Earlier | undefined = {},
) {
  const told: string[] = [];
  const answers: Record<string, (input: never) => unknown> = {
    DescribeAlarmHistoryCommand({ AlarmName, StartDate, NextToken }: HistoryQuery) {
      if (earlier === undefined) throw new Error('not authorized');
      const { before, at } = earlier[AlarmName.replace(/-1$/, '')] ?? { before: '', at: 0 };
      if (at < Number(StartDate)) return { AlarmHistoryItems: [] };
      if (NextToken === undefined) return { AlarmHistoryItems: [changeTo('OK')], NextToken: 'older' };
      return { AlarmHistoryItems: [changeTo(before)] };
    },
    DescribeStacksCommand() {
      if (states === undefined) throw new Error(`Stack with id ${STACK} does not exist`);
      return { Stacks: [{ StackStatus: 'UPDATE_COMPLETE' }] };
    },
    ListStackResourcesCommand: () => ({
      StackResourceSummaries: [...Object.keys(states ?? {}), ...gone].map((LogicalResourceId) => ({
        ...{ LogicalResourceId, ResourceStatus: 'CREATE_COMPLETE' },
        PhysicalResourceId: `${LogicalResourceId}-1`,
      })),
    }),
    DescribeAlarmsCommand: () => ({
      MetricAlarms: Object.entries(states ?? {}).map(([id, StateValue]) => ({
        ...{ AlarmName: `${id}-1`, AlarmArn: `arn:${id}`, StateValue },
      })),
    }),
  };
  const send = async (command: { input: never }) => answers[command.constructor.name]?.(command.input);
  const region = { region: 'eu-west-1' };
  const target: AlarmTarget = {
    cloudFormation: Object.assign(new CloudFormationClient(region), { send }),
    cloudWatch: Object.assign(new CloudWatchClient(region), { send }),
    tell: (line: string) => void told.push(line),
  };
  return { target, told };
}

interface HistoryQuery {
  AlarmName: string;
  StartDate: Date;
  NextToken?: string;
}

const changeTo = (stateValue: string) => ({
  HistoryData: JSON.stringify({ version: '1.0', newState: { stateValue } }),
});

const trigger = (id: string) => ({ Arn: `arn:${id}`, Type: 'AWS::CloudWatch::Alarm' });

describe('the alarms that roll an update back', () => {
  it('are existing alarms, and at most five, which is the CloudFormation limit', () => {
    const { resources } = readServiceFile(resolve(root, 'serverless.yml'));
    expect(ROLLBACK_ALARMS.length).toBeLessThanOrEqual(5);
    for (const id of ROLLBACK_ALARMS) expect(resources[id]?.Type).toBe('AWS::CloudWatch::Alarm');
  });

  it('are listed on the operations page', () => {
    const page = readFileSync(resolve(root, 'docs/operate/rollback.md'), 'utf8');
    for (const id of ROLLBACK_ALARMS) expect(page).toContain(id.replace(/Alarm$/, ''));
  });

  it('are watched even without data, unlike other alarms of the stack', async () => {
    const { target, told } = targetWith({
      ApiErrorsAlarm: 'OK',
      SchedulerErrorsAlarm: 'INSUFFICIENT_DATA',
      AuthorizerErrorsAlarm: 'OK',
    });
    expect(await findRollbackAlarms(target, STACK, 5)).toEqual({
      MonitoringTimeInMinutes: 5,
      RollbackTriggers: [trigger('ApiErrorsAlarm'), trigger('SchedulerErrorsAlarm')],
    });
    expect(told).toEqual([]);
  });

  it('are empty at the first deployment, or if the operator disables them, to remove earlier ones', async () => {
    expect(await findRollbackAlarms(targetWith(undefined).target, STACK, 5)).toEqual(NONE);
    const { target } = targetWith({ ApiErrorsAlarm: 'OK' });
    expect(await findRollbackAlarms({ ...target, withoutRollbackAlarms: true }, STACK, 5)).toEqual(NONE);
  });

  it('omit and report an alarm that is in ALARM or was deleted', async () => {
    const { target, told } = targetWith({ ApiErrorsAlarm: 'ALARM', SchedulerErrorsAlarm: 'OK' }, [
      'IndexWorkerErrorsAlarm',
    ]);
    const { RollbackTriggers } = await findRollbackAlarms(target, STACK, 5);
    expect(RollbackTriggers).toEqual([trigger('SchedulerErrorsAlarm')]);
    expect(told).toEqual([
      "ApiErrorsAlarm is in ALARM already, so it can't roll this deployment back",
      "IndexWorkerErrorsAlarm was deleted, so it can't roll this deployment back",
    ]);
    expect(await findRollbackAlarms(targetWith({ ApiErrorsAlarm: 'ALARM' }).target, STACK, 5)).toEqual(NONE);
  });
});

describe('the error of a deployment that was rolled back', () => {
  const update = { rollback: { RollbackTriggers: [trigger('ApiErrorsAlarm')] }, since: 1000 };
  const error = new Error('x: Rollback requested.');

  it('names the alarm and the option', async () => {
    const { target } = targetWith({ ApiErrorsAlarm: 'ALARM', SchedulerErrorsAlarm: 'ALARM' });
    const { message } = await explainRollback(target, STACK, update, error);
    expect(message).toMatch(
      /^x: Rollback requested\. Alarms that went off: ApiErrorsAlarm\. .*--without-rollback-alarms/,
    );
  });

  it.each([
    ['went off after the start', error, { before: 'ALARM', at: 2000 }],
    ['is named by its ARN', new Error('x: arn:ApiErrorsAlarm went off.'), undefined],
    ['is named', new Error('x: ApiErrorsAlarm-1 went off.'), undefined],
  ])('names an alarm that is OK again and %s', async (_what, reason, change) => {
    const states = { ApiErrorsAlarm: 'OK', SchedulerErrorsAlarm: 'OK' };
    const { target } = targetWith(states, [], change && { ApiErrorsAlarm: change });
    const { message } = await explainRollback(target, STACK, update, reason);
    expect(message).toContain('Alarms that went off: ApiErrorsAlarm.');
  });

  it.each([
    ['no watched alarm went off', { SchedulerErrorsAlarm: { before: 'ALARM', at: 2000 } }],
    ['an alarm returned to OK before the start', { ApiErrorsAlarm: { before: 'ALARM', at: 500 } }],
    ['an alarm only received data', { ApiErrorsAlarm: { before: 'INSUFFICIENT_DATA', at: 2000 } }],
    ["the history can't be read", undefined],
  ])('stays unchanged if %s', async (_what, earlier) => {
    const { target } = targetWith({ ApiErrorsAlarm: 'OK', SchedulerErrorsAlarm: 'ALARM' }, [], earlier);
    expect(await explainRollback(target, STACK, update, error)).toBe(error);
  });
});
