import type { CloudFormationClient, RollbackConfiguration } from '@aws-sdk/client-cloudformation';
import { type CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { findStack, physicalIds } from './cloudformation.ts';

/** Where alarms are. */
export interface AlarmTarget {
  cloudFormation: CloudFormationClient;
  cloudWatch: CloudWatchClient;
  /** Called with each step, one line per step. */
  tell: (line: string) => void;
  /** Updates functions although an alarm would roll them back. */
  withoutRollbackAlarms?: boolean;
}

/**
 * Alarms that show a broken deployment: CloudFormation accepts five. The authorizer's is none of them, because each wrong token
 * counts there, so strangers could roll deployments back; an authorizer that fails answers 500, which ApiErrors counts.
 */
export const ROLLBACK_ALARMS = [
  'ApiErrorsAlarm',
  'SchedulerErrorsAlarm',
  'IndexWorkerErrorsAlarm',
  'CommitWorkerErrorsAlarm',
  'AgentWorkerErrorsAlarm',
];

/** Watches nothing: the stack would keep the alarms of its last update if the list was missing. */
const NONE: RollbackConfiguration = { RollbackTriggers: [], MonitoringTimeInMinutes: 0 };

/**
 * Returns the alarms that roll an update of the functions back. They are in a later stack, so the first deployment has none.
 * One that was deleted, or is in the state ALARM already, is left out and reported: with it, CloudFormation would roll back
 * every update, also the one that repairs its cause.
 */
export async function findRollbackAlarms(
  target: AlarmTarget,
  stack: string,
  minutes: number,
): Promise<RollbackConfiguration> {
  if (target.withoutRollbackAlarms) return NONE;
  const { ids, alarms } = await findAlarms(target, stack);
  for (const id of ids.keys()) {
    const state = alarms.get(id)?.StateValue;
    if (state === undefined) target.tell(`${id} was deleted, so it can't roll this deployment back`);
    if (state === 'ALARM') target.tell(`${id} is in ALARM already, so it can't roll this deployment back`);
  }
  const watched = [...alarms.values()].filter(({ StateValue }) => StateValue !== 'ALARM');
  if (watched.length === 0) return NONE;
  return {
    MonitoringTimeInMinutes: minutes,
    RollbackTriggers: watched.map(({ AlarmArn: Arn }) => ({ Arn, Type: 'AWS::CloudWatch::Alarm' })),
  };
}

/** Adds to the error of an update which of its alarms rolled it back, and what to do. */
export async function explainRollback(
  target: AlarmTarget,
  stack: string,
  { RollbackTriggers = [] }: RollbackConfiguration,
  error: Error,
): Promise<Error> {
  const watched = new Set(RollbackTriggers.map(({ Arn }) => Arn));
  const { alarms } = await findAlarms(target, stack);
  const raised = [...alarms].filter(
    ([, { AlarmArn, StateValue }]) => watched.has(AlarmArn) && StateValue === 'ALARM',
  );
  if (raised.length === 0) return error;
  const names = raised.map(([id]) => id).join(', ');
  return new Error(
    `${error.message.replace(/\.$/, '')}. In ALARM: ${names}. The functions are those of the last deployment again; data wasn't rolled back. ` +
      'Find the reason and fix it, or deploy with --without-rollback-alarms (docs/operate/rollback.md).',
    { cause: error },
  );
}

/** Returns the physical IDs of the alarms' stack, and the alarms that exist, by logical ID. */
async function findAlarms({ cloudFormation, cloudWatch }: AlarmTarget, stack: string) {
  const held =
    (await findStack(cloudFormation, stack)) === undefined
      ? new Map<string, string>()
      : await physicalIds(cloudFormation, stack);
  const ids = new Map([...held].filter(([id]) => ROLLBACK_ALARMS.includes(id)));
  const alarms = new Map<string, MetricAlarm>();
  if (ids.size === 0) return { ids, alarms };
  const { MetricAlarms = [] } = await cloudWatch.send(
    new DescribeAlarmsCommand({ AlarmNames: [...ids.values()] }),
  );
  for (const [id, alarmName] of ids) {
    const alarm = MetricAlarms.find(({ AlarmName }) => AlarmName === alarmName);
    if (alarm !== undefined) alarms.set(id, alarm);
  }
  return { ids, alarms };
}
