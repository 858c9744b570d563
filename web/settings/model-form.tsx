import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../parts/card.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { hostOf, PROVIDERS, type Provider } from './provider-name.ts';
import { type Settings, useChangeSettings, useModels } from './queries.ts';
import { SaveButtons, Saved, Unsaved } from './saved.tsx';

/** The provider and the model that answer. */
export function ModelForm({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const form = useFormDraft('settings model', {
    provider: settings.llmProvider ?? ('' as Provider | ''),
    model: settings.llmModel ?? '',
  });
  const { provider, model } = form.draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { llmProvider: provider || null, llmModel: model.trim() || null },
      { onSuccess: form.drop },
    );
  };
  const reset = () => change.mutate({ llmProvider: null, llmModel: null }, { onSuccess: form.drop });
  return (
    <Card title={t('settings.modelCard')}>
      <form onSubmit={submit} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t('settings.provider')}
            value={provider}
            options={useProviderOptions(settings)}
            onChange={(value) => form.change({ provider: value as Provider | '' })}
          />
          <ModelField
            settings={settings}
            provider={provider}
            model={model}
            onChange={(next) => form.change({ model: next })}
          />
        </div>
        <SaveButtons change={change} canSave onReset={reset} />
        <Unsaved form={form} />
        <Saved change={change} />
      </form>
    </Card>
  );
}

/** Each by the protocol that it speaks and, where it is another than the maker's own, its host. */
function useProviderOptions({ providers }: Settings): [string, string][] {
  const { t } = useTranslation();
  const say = (provider: Provider): string => {
    const host = hostOf(providers, provider);
    const name = host
      ? `${t(`settings.providers.${provider}`)} · ${host}`
      : t(`settings.providers.${provider}`);
    return providers[provider].configured ? name : t('settings.notSetUp', { name });
  };
  return [['', t('settings.firstSetUp')], ...PROVIDERS.map((each): [string, string] => [each, say(each)])];
}

interface ModelFieldProps {
  settings: Settings;
  provider: Provider | '';
  model: string;
  onChange: (model: string) => void;
}

/** Typed, or taken from what the provider offers: not every endpoint lists what it has. */
function ModelField({ settings, provider, model, onChange }: ModelFieldProps) {
  const { t } = useTranslation();
  const asked = provider !== '' && settings.providers[provider].configured ? provider : undefined;
  const models = useModels(asked);
  return (
    <div className="space-y-2">
      <Field
        label={t('settings.model')}
        hint={t('settings.modelHint')}
        list="models"
        maxLength={200}
        placeholder={t('settings.providerDefault')}
        value={model}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id="models">
        {models.data?.models.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <Problem error={models.error} onRetry={() => models.refetch()} />
    </div>
  );
}
