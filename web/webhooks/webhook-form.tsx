import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckField, Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { EVENT_TEXTS, EVENTS, type WebhookFields } from './queries.ts';

interface Props {
  title: string;
  action: string;
  initial: WebhookFields;
  sending: { error: Error | null; isPending: boolean };
  onSend: (fields: WebhookFields) => void;
  onClose: () => void;
}

/** The fields of a webhook. They aren't stored as a draft, because a URL may contain a secret. */
export function WebhookForm({ title, action, initial, sending, onSend, onClose }: Props) {
  const { t } = useTranslation();
  const [fields, setFields] = useState(initial);
  const { name, url, events } = fields;
  const change = (changed: Partial<WebhookFields>) => setFields({ ...fields, ...changed });
  const chosen = (wanted: string, isOn: boolean) =>
    EVENTS.filter((each) => (each === wanted ? isOn : events.includes(each)));
  return (
    <FormDialog
      title={title}
      action={action}
      sending={sending}
      isWhole={name.trim() !== '' && url.trim() !== '' && events.length > 0}
      onSend={() => onSend({ name: name.trim(), url: url.trim(), events })}
      onClose={onClose}
    >
      <Field
        label={t('webhooks.name')}
        required
        maxLength={100}
        value={name}
        onChange={(text) => change({ name: text })}
      />
      <Field
        label={t('webhooks.url')}
        hint={t('webhooks.urlHint')}
        required
        inputMode="url"
        maxLength={2000}
        value={url}
        onChange={(text) => change({ url: text })}
      />
      <fieldset>
        <legend className="mb-1 text-sm font-medium">{t('webhooks.events')}</legend>
        {EVENTS.map((each) => (
          <CheckField
            key={each}
            label={t(`webhooks.types.${EVENT_TEXTS[each]}`)}
            checked={events.includes(each)}
            onChange={(isOn) => change({ events: chosen(each, isOn) })}
          />
        ))}
        <p className="mt-1 text-xs text-muted">{t('webhooks.sent')}</p>
      </fieldset>
    </FormDialog>
  );
}
