import { useTranslation } from 'react-i18next';
import { WEB_SEARCH_NAMES } from '../../lib/api-contract/web-search-providers.ts';
import { Card } from '../parts/card.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { type Settings, type SettingsChange, useChangeSettings } from './queries.ts';
import { SettingsForm } from './saved.tsx';

type Change = NonNullable<SettingsChange['webSearch']>;

const CHOICES = Object.entries(WEB_SEARCH_NAMES);

/** The provider of web search, with its URL or its key, which is never shown. */
export function WebSearch({ settings: { webSearch } }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const { provider, baseUrl, hasKey } = webSearch;
  const form = useFormDraft(
    'settings web search',
    { provider: provider ?? 'off', baseUrl: baseUrl ?? '', apiKey: '' },
    (text) => text.includes('"apiKey":"') && !text.includes('"apiKey":""'),
  );
  const wanted = changeOf(form.draft);
  const isKeyed = wanted.provider === 'brave' || wanted.provider === 'tavily';
  const needsKey = isKeyed && !(hasKey && wanted.provider === provider) && wanted.apiKey === undefined;
  const canSave = !needsKey && (wanted.provider !== 'searxng' || wanted.baseUrl !== '');
  const save = (next: Change | null) => change.mutate({ webSearch: next }, { onSuccess: form.drop });
  return (
    <Card title={t('settings.web.title')}>
      <SettingsForm
        change={change}
        form={form}
        canSave={canSave}
        onSave={() => save(wanted)}
        onReset={() => save(null)}
      >
        <p className="text-sm text-muted">{t('settings.web.note')}</p>
        <SelectField
          label={t('settings.web.provider')}
          options={[['off', t('settings.web.off')], ...CHOICES]}
          {...form.field('provider')}
        />
        {wanted.provider === 'searxng' && (
          <Field
            label={t('settings.web.url')}
            hint={t('settings.web.urlHint')}
            maxLength={500}
            {...form.field('baseUrl')}
          />
        )}
        {isKeyed && (
          <Field
            label={t('settings.web.key')}
            hint={t(hasKey && wanted.provider === provider ? 'settings.web.keyKept' : 'settings.web.keyHint')}
            type="password"
            autoComplete="off"
            maxLength={1000}
            {...form.field('apiKey')}
          />
        )}
      </SettingsForm>
    </Card>
  );
}

/** Returns the change for what was typed: only the fields that the provider has. */
function changeOf({ provider, baseUrl, apiKey }: { provider: string; baseUrl: string; apiKey: string }) {
  const chosen = provider as Change['provider'];
  if (chosen === 'searxng') return { provider: chosen, baseUrl: baseUrl.trim() } satisfies Change as Change;
  const key = chosen === 'off' ? '' : apiKey.trim();
  return { provider: chosen, ...(key !== '' && { apiKey: key }) } satisfies Change as Change;
}
