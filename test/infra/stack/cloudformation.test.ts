import { CloudFormationClient, type ResourceStatus, type StackEvent } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from '@jest/globals';
import { changeStack } from '../../../infra/stack/cloudformation.ts';

const NAME = 'workspace-research-dev';
const PAGE = 100;

/** A stack whose update ends rolled back, with these events, the oldest first. */
function rolledBack(events: StackEvent[]) {
  const newestFirst = events.toReversed();
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

/** What a rollback of the functions' stack tells. */
const ROLLBACK = Array.from({ length: 300 }, (_, index) => event(`Function${index}`, 'UPDATE_COMPLETE'));

describe('the error of a failed update', () => {
  const denied = event('Role', 'UPDATE_FAILED', 'AccessDenied');
  const cancelled = event('Other', 'UPDATE_FAILED', 'Resource update cancelled');
  const rollback = (reason: string) => event(NAME, 'UPDATE_ROLLBACK_IN_PROGRESS', reason);
  const earlier = {
    ...event('Old', 'UPDATE_FAILED', 'earlier'),
    Timestamp: new Date(Date.now() - 3_600_000),
  };

  it('is that of the first resource, however many events the rollback makes', async () => {
    const events = [earlier, denied, cancelled, rollback('Failed to update: [Other, Role].'), ...ROLLBACK];
    await expect(rolledBack(events)).rejects.toThrow(`${NAME}: Role: AccessDenied`);
  });

  it('is that of the stack where an alarm rolled it back, whatever the rollback cancels or breaks', async () => {
    const broken = event('Later', 'UPDATE_FAILED', 'it cannot return');
    const events = [earlier, cancelled, rollback('The alarm a went off'), ...ROLLBACK, broken];
    await expect(rolledBack(events)).rejects.toThrow(`${NAME}: The alarm a went off`);
  });

  it('is unknown where only an earlier update failed', async () => {
    await expect(rolledBack([earlier, ...ROLLBACK])).rejects.toThrow('unknown reason');
  });
});
