import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../parts/card.tsx';
import { Field } from '../parts/field.tsx';
import { type Settings, useChangeSettings } from './queries.ts';
import { SaveButtons, Saved } from './saved.tsx';

/** Whose days the daily and weekly reports are about. */
export function TimezoneForm({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const [zone, setZone] = useState(settings.reportTimezone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ reportTimezone: zone.trim() });
  };
  const reset = () =>
    change.mutate({ reportTimezone: null }, { onSuccess: ({ reportTimezone }) => setZone(reportTimezone) });
  return (
    <Card title={t('settings.timezone')}>
      <form onSubmit={submit} className="space-y-4">
        <Field
          label={t('settings.zone')}
          hint={t('settings.zoneHint')}
          list="zones"
          maxLength={100}
          value={zone}
          onChange={({ target }) => setZone(target.value)}
        />
        <datalist id="zones">
          {Intl.supportedValuesOf('timeZone').map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <SaveButtons change={change} canSave={zone.trim() !== ''} onReset={reset} />
        <Saved change={change} />
      </form>
    </Card>
  );
}
