import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ScheduleFault } from '../../lib/api-contract/schedule.ts';
import { CheckField, Field, SelectField } from '../parts/field.tsx';
import { previewSchedule, timeZones } from './schedule.ts';
import {
  FREQUENCIES,
  type Frequency,
  readSchedule,
  type ScheduleParts,
  writeSchedule,
} from './schedule-parts.ts';
import { formatSlot } from './when.ts';

const SHOWN_RUNS = 5;

interface Props {
  schedule: string;
  timezone: string;
  onChange: (changed: { schedule?: string; timezone?: string }) => void;
}

/** When a task runs: its frequency and time, or a cron expression, with the next runs below. */
export function ScheduleFields({ schedule, timezone, onChange }: Props) {
  const { t } = useTranslation();
  const parts = readSchedule(schedule);
  const [isOwn, setOwn] = useState(parts === undefined);
  const zones = useMemo(() => timeZones(timezone), [timezone]);
  const change = (changed: Partial<ScheduleParts>) =>
    onChange({ schedule: writeSchedule({ ...START, ...parts, ...changed }) });
  const choose = (name: string) => {
    setOwn(name === '');
    if (name !== '') change({ frequency: name as Frequency });
  };
  return (
    <fieldset className="space-y-4 rounded-lg border border-line p-4">
      <legend className="px-1 text-sm font-medium">{t('tasks.when')}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t('tasks.preset')}
          value={isOwn ? '' : (parts?.frequency ?? '')}
          options={[
            ...FREQUENCIES.map((name) => [name, t(`tasks.presets.${name}`)] as const),
            ['', t('tasks.ownSchedule')],
          ]}
          onChange={choose}
        />
        <SelectField
          label={t('tasks.zone')}
          value={timezone}
          options={zones.map((zone) => [zone, zone] as const)}
          onChange={(zone) => onChange({ timezone: zone })}
        />
      </div>
      {isOwn || parts === undefined ? (
        <Field
          label={t('tasks.schedule')}
          hint={t('tasks.scheduleHint')}
          value={schedule}
          required
          maxLength={200}
          spellCheck={false}
          onChange={(value) => onChange({ schedule: value })}
        />
      ) : (
        <TimeFields parts={parts} onChange={change} />
      )}
      <NextRuns schedule={schedule} timezone={timezone} />
    </fieldset>
  );
}

/** The initial schedule for a frequency that is chosen after a cron expression that it can't represent. */
const START: ScheduleParts = { frequency: 'daily', time: '09:00', days: [1], day: 1 };

interface TimeProps {
  parts: ScheduleParts;
  onChange: (changed: Partial<ScheduleParts>) => void;
}

function TimeFields({ parts, onChange }: TimeProps) {
  const { t } = useTranslation();
  const { frequency, time, day } = parts;
  return (
    <div className="space-y-4">
      {frequency === 'weekly' && <Days parts={parts} onChange={onChange} />}
      <div className="grid gap-4 sm:grid-cols-2">
        {frequency === 'monthly' && (
          <SelectField
            label={t('tasks.dayOfMonth')}
            value={String(day)}
            options={Array.from({ length: 31 }, (_, at) => [String(at + 1), String(at + 1)] as const)}
            onChange={(chosen) => onChange({ day: Number(chosen) })}
          />
        )}
        {frequency === 'hourly' ? (
          <Field
            label={t('tasks.minute')}
            type="number"
            min={0}
            max={59}
            required
            value={Number(time.slice(3))}
            onChange={(value) =>
              onChange({ time: `00:${Math.min(59, Math.abs(Math.trunc(Number(value))))}` })
            }
          />
        ) : (
          <Field
            label={t('tasks.time')}
            type="time"
            required
            value={time}
            onChange={(value) => value !== '' && onChange({ time: value })}
          />
        )}
      </div>
    </div>
  );
}

/** A Sunday. */
const FIRST_DAY = Date.UTC(2000, 0, 2);
const DAY_MS = 86_400_000;
/** The days in order, from Monday, the first day of the week in most of the world. */
const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** The days of the week, of which at least one stays selected. */
function Days({ parts: { days }, onChange }: TimeProps) {
  const { t, i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' });
  const put = (day: number, isWanted: boolean) => {
    const left = [...days.filter((each) => each !== day), ...(isWanted ? [day] : [])];
    if (left.length > 0) onChange({ days: left.sort((one, other) => one - other) });
  };
  return (
    <fieldset>
      <legend className="text-sm font-medium">{t('tasks.weekdays')}</legend>
      <div className="flex flex-wrap gap-x-5">
        {WEEK.map((day) => (
          <CheckField
            key={day}
            label={format.format(FIRST_DAY + day * DAY_MS)}
            checked={days.includes(day)}
            onChange={(isWanted) => put(day, isWanted)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function NextRuns({ schedule, timezone }: Pick<Props, 'schedule' | 'timezone'>) {
  const { t, i18n } = useTranslation();
  const preview = useMemo(
    () => previewSchedule(schedule, timezone, new Date(), SHOWN_RUNS),
    [schedule, timezone],
  );
  return (
    <div aria-live="polite" className="min-h-36 text-sm">
      {'runs' in preview ? (
        <>
          <p className="text-muted">{t('tasks.nextRuns')}</p>
          <ol className="mt-1 list-inside list-decimal tabular-nums">
            {preview.runs.map((run) => (
              <li key={run.getTime()}>{formatSlot(run, timezone, i18n.language)}</li>
            ))}
          </ol>
        </>
      ) : (
        <ScheduleProblem problem={preview} />
      )}
    </div>
  );
}

function ScheduleProblem({ problem }: { problem: ScheduleFault }) {
  const { t } = useTranslation();
  if (problem.problem === 'never') return <p className="text-danger">{t('tasks.never')}</p>;
  if (problem.problem === 'count')
    return <p className="text-danger">{t('tasks.fieldCount', { count: problem.count })}</p>;
  return (
    <p className="text-danger">
      {t('tasks.noField', { text: problem.text, field: t(`tasks.fields.${problem.field}`) })}
    </p>
  );
}
