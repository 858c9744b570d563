import { useTranslation } from 'react-i18next';
import { Card } from '../parts/card.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { type Settings, useChangeSettings } from './queries.ts';
import { SettingsForm } from './saved.tsx';

/** Sets the time zone whose days the daily and weekly reports are about. */
export function TimezoneForm({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const form = useFormDraft('settings timezone', { zone: settings.reportTimezone });
  const zone = form.draft.zone.trim();
  const save = (reportTimezone: string | null) => change.mutate({ reportTimezone }, { onSuccess: form.drop });
  return (
    <Card title={t('settings.timezone')}>
      <SettingsForm
        change={change}
        form={form}
        canSave={zone !== ''}
        onSave={() => save(zone)}
        onReset={() => save(null)}
      >
        <Field
          label={t('settings.zone')}
          hint={t('settings.zoneHint')}
          suggestions={Intl.supportedValuesOf('timeZone').map((each) => [each])}
          maxLength={100}
          {...form.field('zone')}
        />
      </SettingsForm>
    </Card>
  );
}
