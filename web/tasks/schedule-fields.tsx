import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, SelectField } from '../parts/field.tsx';
import {
  PRESETS,
  type Preset,
  presetOf,
  previewSchedule,
  type SchedulePreview,
  timeZones,
} from './schedule.ts';
import { formatSlot } from './when.ts';

const SHOWN_RUNS = 5;

interface Props {
  schedule: string;
  timezone: string;
  onChange: (changed: { schedule?: string; timezone?: string }) => void;
}

/** When: as one of the usual times, or as five fields, with the next runs below while one types. */
export function ScheduleFields({ schedule, timezone, onChange }: Props) {
  const { t } = useTranslation();
  const preset = presetOf(schedule);
  const zones = useMemo(() => timeZones(timezone), [timezone]);
  const names = Object.keys(PRESETS) as Preset[];
  return (
    <fieldset className="space-y-4 rounded-lg border border-line p-4">
      <legend className="px-1 text-sm font-medium">{t('tasks.when')}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t('tasks.preset')}
          value={preset ?? ''}
          options={[
            ...names.map((name) => [name, t(`tasks.presets.${name}`)] as const),
            ...(preset === undefined ? [['', t('tasks.ownSchedule')] as const] : []),
          ]}
          onChange={(name) => name !== '' && onChange({ schedule: PRESETS[name as Preset] })}
        />
        <SelectField
          label={t('tasks.zone')}
          value={timezone}
          options={zones.map((zone) => [zone, zone] as const)}
          onChange={(zone) => onChange({ timezone: zone })}
        />
      </div>
      <Field
        label={t('tasks.schedule')}
        hint={t('tasks.scheduleHint')}
        value={schedule}
        required
        maxLength={200}
        spellCheck={false}
        onChange={(value) => onChange({ schedule: value })}
      />
      <NextRuns schedule={schedule} timezone={timezone} />
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

function ScheduleProblem({ problem }: { problem: Exclude<SchedulePreview, { runs: Date[] }> }) {
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
