import { useTranslation } from 'react-i18next';
import { Card } from '../parts/card.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { hostOf, PROVIDERS, type Provider } from './provider-name.ts';
import { type Settings, type SettingsChange, useChangeSettings, useModels } from './queries.ts';
import { SettingsForm } from './saved.tsx';
import { isWindow, readTokens } from './window-text.ts';

type WindowSource = NonNullable<Settings['contextWindow']>['from'];

/** The provider and the model for answers. */
export function ModelForm({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const form = useFormDraft('settings model', {
    provider: settings.llmProvider ?? ('' as Provider | ''),
    model: settings.llmModel ?? '',
    window: settings.contextTokens?.toString() ?? '',
  });
  const { provider, model, window } = form.draft;
  const save = (values: SettingsChange) => change.mutate(values, { onSuccess: form.drop });
  return (
    <Card title={t('settings.modelCard')}>
      <SettingsForm
        change={change}
        form={form}
        canSave={(provider === '' || settings.providers[provider].configured) && isWindow(window)}
        onSave={() =>
          save({
            llmProvider: provider || null,
            llmModel: model.trim() || null,
            contextTokens: window.trim() === '' ? null : Number(readTokens(window)),
          })
        }
        onReset={() => save({ llmProvider: null, llmModel: null, contextTokens: null })}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t('settings.provider')}
            options={useProviderOptions(settings)}
            {...form.field('provider')}
          />
          <ModelField settings={settings} provider={provider} {...form.field('model')} />
          <WindowField settings={settings} {...form.field('window')} />
        </div>
      </SettingsForm>
    </Card>
  );
}

/** Returns each provider by its protocol and, for a server that isn't the vendor's own, its host. */
function useProviderOptions({ providers, llmProvider }: Settings): [string, string][] {
  const { t } = useTranslation();
  const say = (provider: Provider): string => {
    const host = hostOf(providers, provider);
    const name = host
      ? `${t(`settings.providers.${provider}`)} · ${host}`
      : t(`settings.providers.${provider}`);
    return providers[provider].configured ? name : t('settings.notSetUp', { name });
  };
  // An unconnected provider can't answer, so it's listed only if the settings name it.
  const offered = PROVIDERS.filter((each) => providers[each].configured || each === llmProvider);
  return [['', t('settings.firstSetUp')], ...offered.map((each): [string, string] => [each, say(each)])];
}

interface WindowFieldProps {
  settings: Settings;
  value: string;
  onChange: (window: string) => void;
}

/** The window of the model, for a server that doesn't report it or reports too much. */
function WindowField({ settings: { contextWindow: known, reportedTokens }, ...field }: WindowFieldProps) {
  const { t, i18n } = useTranslation();
  const say = (from: WindowSource, tokens: number) =>
    t(`settings.windowIs.${from}`, { tokens: tokens.toLocaleString(i18n.language) });
  const hints = [
    t('settings.windowHint'),
    known ? say(known.from, known.contextTokens) : t('settings.windowUnknown'),
    reportedTokens !== null && say('server', reportedTokens),
  ];
  return (
    <Field
      label={t('settings.window')}
      hint={hints.filter(Boolean).join(' ')}
      problem={isWindow(field.value) ? undefined : t('settings.windowProblem')}
      reads={readTokens}
      maxLength={20}
      {...field}
    />
  );
}

interface ModelFieldProps {
  settings: Settings;
  provider: Provider | '';
  value: string;
  onChange: (model: string) => void;
}

/** A model's name, typed, or selected from the provider's list, because not every endpoint lists its models. */
function ModelField({ settings, provider, ...field }: ModelFieldProps) {
  const { t } = useTranslation();
  const asked = provider !== '' && settings.providers[provider].configured ? provider : undefined;
  const models = useModels(asked);
  return (
    <div className="space-y-2 pb-2">
      <Field
        label={t('settings.model')}
        hint={t('settings.modelHint')}
        suggestions={models.data?.models.map((each) => [each.id, each.name])}
        maxLength={200}
        placeholder={t('settings.providerDefault')}
        {...field}
      />
      <Problem error={models.error} onRetry={() => models.refetch()} />
    </div>
  );
}
