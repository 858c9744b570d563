import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../parts/card.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { type Settings, useChangeSettings } from './queries.ts';
import { SaveButtons, Saved, Unsaved } from './saved.tsx';

/** Sets the time zone whose days the daily and weekly reports are about. */
export function TimezoneForm({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const form = useFormDraft('settings timezone', { zone: settings.reportTimezone });
  const { zone } = form.draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ reportTimezone: zone.trim() }, { onSuccess: form.drop });
  };
  const reset = () => change.mutate({ reportTimezone: null }, { onSuccess: form.drop });
  return (
    <Card title={t('settings.timezone')}>
      <form onSubmit={submit} className="space-y-4">
        <Field
          label={t('settings.zone')}
          hint={t('settings.zoneHint')}
          list="zones"
          maxLength={100}
          value={zone}
          onChange={({ target }) => form.change({ zone: target.value })}
        />
        <datalist id="zones">
          {Intl.supportedValuesOf('timeZone').map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <SaveButtons change={change} canSave={zone.trim() !== ''} onReset={reset} />
        <Unsaved form={form} />
        <Saved change={change} />
      </form>
    </Card>
  );
}
