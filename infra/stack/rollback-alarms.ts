import type { CloudFormationClient, RollbackConfiguration } from '@aws-sdk/client-cloudformation';
import {
  type CloudWatchClient,
  DescribeAlarmsCommand,
  type MetricAlarm,
  paginateDescribeAlarmHistory,
} from '@aws-sdk/client-cloudwatch';
import { findStack, physicalIds } from './cloudformation.ts';

/** Where the alarms are, and how to report on them. */
export interface AlarmTarget {
  cloudFormation: CloudFormationClient;
  cloudWatch: CloudWatchClient;
  /** Called with each step, one line per step. */
  tell: (line: string) => void;
  /** Updates functions even if an alarm would roll them back. */
  withoutRollbackAlarms?: boolean;
}

/**
 * Alarms that show a broken deployment; CloudFormation accepts five. The authorizer's alarm isn't among them, because
 * it counts each wrong token, so strangers could roll deployments back. A failing authorizer answers 500, which
 * ApiErrors counts.
 */
export const ROLLBACK_ALARMS = [
  'ApiErrorsAlarm',
  'SchedulerErrorsAlarm',
  'IndexWorkerErrorsAlarm',
  'CommitWorkerErrorsAlarm',
  'AgentWorkerErrorsAlarm',
];

/** Watches no alarm. Without the empty list, the stack would keep the alarms of its last update. */
const NO_ROLLBACK_ALARMS: RollbackConfiguration = { RollbackTriggers: [], MonitoringTimeInMinutes: 0 };

/**
 * Returns the alarms that roll back an update of the functions. They are in a later stack, so the first deployment has
 * none. An alarm that was deleted or is already in the state ALARM is left out and reported, because CloudFormation
 * would roll back every update with it, even the one that fixes its cause.
 */
export async function findRollbackAlarms(
  target: AlarmTarget,
  stack: string,
  minutes: number,
): Promise<RollbackConfiguration> {
  if (target.withoutRollbackAlarms) return NO_ROLLBACK_ALARMS;
  const { ids, alarms } = await findAlarms(target, stack);
  for (const id of ids.keys()) {
    const state = alarms.get(id)?.StateValue;
    if (state === undefined) target.tell(`${id} was deleted, so it can't roll this deployment back`);
    if (state === 'ALARM') target.tell(`${id} is in ALARM already, so it can't roll this deployment back`);
  }
  const watched = [...alarms.values()].filter(({ StateValue }) => StateValue !== 'ALARM');
  if (watched.length === 0) return NO_ROLLBACK_ALARMS;
  return {
    MonitoringTimeInMinutes: minutes,
    RollbackTriggers: watched.map(({ AlarmArn: Arn }) => ({ Arn, Type: 'AWS::CloudWatch::Alarm' })),
  };
}

/**
 * Adds to an update's error which alarm rolled it back, and what to do. After a rollback, the alarm is often
 * OK again, so its states since the start count, too.
 */
export async function explainRollback(
  target: AlarmTarget,
  stack: string,
  { rollback: { RollbackTriggers = [] }, since }: { rollback: RollbackConfiguration; since: number },
  error: Error,
): Promise<Error> {
  const watched = new Set(RollbackTriggers.map(({ Arn }) => Arn));
  const { alarms } = await findAlarms(target, stack);
  const watchedAlarms = [...alarms].filter(([, { AlarmArn }]) => watched.has(AlarmArn));
  const wasRaised = async (alarm: MetricAlarm) =>
    isNamed(alarm, error) || alarm.StateValue === 'ALARM' || wentOff(target, alarm, since);
  const answers = await Promise.all(watchedAlarms.map(([, alarm]) => wasRaised(alarm)));
  const raised = watchedAlarms.filter((_, index) => answers[index]);
  if (raised.length === 0) return error;
  const names = raised.map(([id]) => id).join(', ');
  return new Error(
    `${error.message.replace(/\.$/, '')}. Alarms that went off: ${names}. The functions are those of the last deployment again; data wasn't rolled back. ` +
      'Find the reason and fix it, or deploy with --without-rollback-alarms (docs/operate/rollback.md).',
    { cause: error },
  );
}

/** The wording of CloudFormation's reason isn't documented, but it may name the alarm. */
function isNamed({ AlarmArn, AlarmName }: MetricAlarm, { message }: Error): boolean {
  return [AlarmArn, AlarmName].some((name) => name !== undefined && message.includes(name));
}

/**
 * Returns whether the alarm went off since that time. Returns false if its history can't be read, so that the
 * original error isn't lost.
 */
async function wentOff(
  { cloudWatch: client }: AlarmTarget,
  { AlarmName }: MetricAlarm,
  since: number,
): Promise<boolean> {
  const query = { AlarmName, HistoryItemType: 'StateUpdate', StartDate: new Date(since) } as const;
  try {
    for await (const { AlarmHistoryItems = [] } of paginateDescribeAlarmHistory({ client }, query))
      if (AlarmHistoryItems.some(({ HistoryData }) => newStateIn(HistoryData) === 'ALARM')) return true;
  } catch {}
  return false;
}

function newStateIn(historyData = '{}'): unknown {
  return JSON.parse(historyData).newState?.stateValue;
}

/** Returns the physical IDs in the alarms' stack, and the existing alarms by logical ID. */
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
