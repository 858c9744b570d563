import { CloudFormationClient, type ResourceStatus, type StackEvent } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from '@jest/globals';
import { changeStack } from '../../../infra/stack/cloudformation.ts';

const NAME = 'workspace-research-dev';
const PAGE = 100;

/**
 * A stack whose update is rolled back, with these events, oldest first, each a millisecond after the previous
 * one.
 */
function rolledBack(events: StackEvent[]) {
  const inTime = events.map((one, at) => ({ ...one, Timestamp: new Date(Number(one.Timestamp) + at) }));
  const newestFirst = inTime.toReversed();
  let executed = false;
  const answers: Record<string, (input: { NextToken?: string }) => object> = {
    DescribeStacksCommand: () => ({
      Stacks: [{ StackStatus: executed ? 'UPDATE_ROLLBACK_COMPLETE' : 'UPDATE_COMPLETE' }],
    }),
    CreateChangeSetCommand: () => ({}),
    DescribeChangeSetCommand: () => ({ Status: 'CREATE_COMPLETE' }),
    ExecuteChangeSetCommand() {
      executed = true;
      return {};
    },
    DescribeStackEventsCommand({ NextToken = '0' }) {
      const end = Number(NextToken) + PAGE;
      const StackEvents = newestFirst.slice(Number(NextToken), end);
      return { StackEvents, ...(end < newestFirst.length && { NextToken: String(end) }) };
    },
  };
  const send = async (command: { input: { NextToken?: string } }) =>
    answers[command.constructor.name]?.(command.input);
  const client = Object.assign(new CloudFormationClient({ region: 'eu-west-1' }), { send });
  return changeStack(client, { name: NAME, template: { Resources: {} }, every: 0.01 });
}

function event(
  LogicalResourceId: string,
  ResourceStatus: ResourceStatus,
  ResourceStatusReason?: string,
): StackEvent {
  return {
    ...{ LogicalResourceId, ResourceStatus, ResourceStatusReason, Timestamp: new Date() },
    ...{ StackId: NAME, EventId: LogicalResourceId, StackName: NAME },
  };
}

/** The events of a rollback of the functions' stack. */
const ROLLBACK = Array.from({ length: 300 }, (_, index) => event(`Function${index}`, 'UPDATE_COMPLETE'));

describe('the error of a failed update', () => {
  const denied = event('Role', 'UPDATE_FAILED', 'AccessDenied');
  const cancelled = event('Other', 'UPDATE_FAILED', 'Resource update cancelled');
  const rollback = (reason: string) => event(NAME, 'UPDATE_ROLLBACK_IN_PROGRESS', reason);
  const earlier = {
    ...event('Old', 'UPDATE_FAILED', 'earlier'),
    Timestamp: new Date(Date.now() - 3_600_000),
  };

  it('is the reason of the first failed resource, however many events the rollback adds', async () => {
    const events = [earlier, denied, cancelled, rollback('Failed to update: [Other, Role].'), ...ROLLBACK];
    await expect(rolledBack(events)).rejects.toThrow(`${NAME}: Role: AccessDenied`);
  });

  it('is the reason of the stack that an alarm rolled back, whatever the rollback cancels or breaks', async () => {
    const broken = event('Later', 'UPDATE_FAILED', 'it cannot return');
    const events = [earlier, cancelled, rollback('The alarm a went off'), ...ROLLBACK, broken];
    await expect(rolledBack(events)).rejects.toThrow(`${NAME}: The alarm a went off`);
  });

  it('is unknown if only an earlier update failed', async () => {
    await expect(rolledBack([earlier, ...ROLLBACK])).rejects.toThrow('unknown reason');
  });
});

/**
 * A stack that has these states one after the other, and accepts a change only in the last one, after the
 * operation has ended.
 */
function changing(states: (string | undefined)[], others: { tell?: (line: string) => void } = {}) {
  const left = [...states];
  const types: string[] = [];
  const state = () => (left.length > 1 ? left.shift() : left[0]);
  const answers: Record<string, (input: { ChangeSetType: string }) => object> = {
    DescribeStacksCommand() {
      const StackStatus = state();
      if (StackStatus === undefined) throw new Error(`Stack with id ${NAME} does not exist`);
      return { Stacks: [{ StackStatus }] };
    },
    CreateChangeSetCommand({ ChangeSetType }) {
      const runs = left[0]?.endsWith('_IN_PROGRESS') && left[0] !== 'REVIEW_IN_PROGRESS';
      if (runs) throw new Error(`${NAME} is in ${left[0]} state`);
      types.push(ChangeSetType);
      return {};
    },
    DescribeChangeSetCommand: () => ({ Status: 'FAILED', StatusReason: "didn't contain changes" }),
    DeleteChangeSetCommand: () => ({}),
  };
  const send = async (command: { input: { ChangeSetType: string } }) =>
    answers[command.constructor.name]?.(command.input);
  const client = Object.assign(new CloudFormationClient({ region: 'eu-west-1' }), { send });
  const done = changeStack(client, { name: NAME, template: { Resources: {} }, every: 0.01, ...others });
  return { done, types };
}

describe('a stack that an earlier deployment is still changing', () => {
  it.each([
    ['an update', ['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'UPDATE_COMPLETE'], 'UPDATE'],
    ['a rollback', ['UPDATE_ROLLBACK_IN_PROGRESS', 'UPDATE_ROLLBACK_COMPLETE'], 'UPDATE'],
    ['a deletion', ['DELETE_IN_PROGRESS', undefined], 'CREATE'],
    ['a change set that was never executed', ['REVIEW_IN_PROGRESS'], 'CREATE'],
  ])('is changed after %s has ended', async (_what, states, type) => {
    const { done, types } = changing(states);
    expect(await done).toBe(false);
    expect(types).toEqual([type]);
  });

  it('is reported once as the reason for waiting', async () => {
    const told: string[] = [];
    const states = ['UPDATE_IN_PROGRESS', 'UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE'];
    await changing(states, { tell: (line) => void told.push(line) }).done;
    expect(told).toEqual([`${NAME} is waiting for an earlier operation to end (UPDATE_IN_PROGRESS)`]);
  });
});
