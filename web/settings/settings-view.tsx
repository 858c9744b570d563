import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { credential, signOut } from '../access/credential.ts';
import { useIsAdminOfAll } from '../access/role.ts';
import { chooseLanguage, LANGUAGES, type Language } from '../languages/languages.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Choice } from '../parts/choice.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Skeletons } from '../parts/empty-state.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { Field, SwitchField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { chooseTheme, THEMES, useTheme } from '../shell/theme.ts';
import { AiBanner } from './ai-banner.tsx';
import { HubToken } from './hub-token.tsx';
import { JudgeSetting } from './judge-setting.tsx';
import { ModelCheck } from './model-check.tsx';
import { ModelForm } from './model-form.tsx';
import { ModelTiles } from './model-tiles.tsx';
import { Prices } from './prices.tsx';
import { type Settings, useChangeSettings, useHealth, useSettings } from './queries.ts';
import { SettingsForm } from './saved.tsx';
import { WebSearch } from './web-search.tsx';
import { WorkspaceRoots } from './workspace-roots.tsx';

export function SettingsView() {
  const { t } = useTranslation();
  const health = useHealth();
  const settings = useSettings();
  const isAdmin = useIsAdminOfAll();
  const [isNew, setNew] = useState(false);
  return (
    <>
      <PageHead
        title={t('settings.title')}
        note={health.data && t('settings.version', { version: health.data.version })}
        actions={
          credential() !== undefined && (
            <Button icon="out" onClick={signOut}>
              {t('settings.signOut')}
            </Button>
          )
        }
      />
      {isAdmin ? (
        <Card title={t('models.title')}>
          {health.data?.aiAvailable === false && (
            <p className="mb-3 text-sm text-muted">{t('models.note')}</p>
          )}
          <ModelTiles onConnected={() => setNew(true)} />
          {settings.data && <ModelFacts settings={settings.data} isNew={isNew} />}
        </Card>
      ) : (
        <AiBanner />
      )}
      <Appearance />
      {settings.isPending && <Skeletons rows={3} className="h-16" />}
      {settings.data && <ServiceSettings settings={settings.data} />}
    </>
  );
}

/** Facts about the model. `isNew` means that a person has just connected it, so it's checked. */
function ModelFacts({ settings, isNew }: { settings: Settings; isNew: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="mt-4 border-t border-line pt-2">
      <FactList
        facts={[
          [t('models.check.title'), <ModelCheck key="check" startsItself={isNew} />],
          [t('models.embedding'), <SemanticSetting key="semantic" settings={settings} />],
          [t('models.judge.title'), <JudgeSetting key="judge" settings={settings} />],
        ]}
      />
    </div>
  );
}

function Appearance() {
  const { t, i18n } = useTranslation();
  const theme = useTheme();
  return (
    <Card title={t('settings.appearance')}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Choice
          label={t('settings.theme')}
          value={theme}
          options={THEMES.map((each) => [each, t(`settings.themes.${each}`)])}
          onChange={(value) => chooseTheme(value as typeof theme)}
        />
        <Choice
          label={t('settings.language')}
          value={i18n.language}
          options={Object.entries(LANGUAGES)}
          onChange={(value) => void chooseLanguage(value as Language)}
        />
      </div>
    </Card>
  );
}

function ServiceSettings({ settings }: { settings: Settings }) {
  return (
    <>
      <ModelForm settings={settings} />
      <HubToken settings={settings} />
      <WebSearch settings={settings} />
      <TimezoneForm settings={settings} />
      <Prices settings={settings} />
      <WorkspaceRoots />
    </>
  );
}

/** Sets the time zone of daily and weekly reports. */
function TimezoneForm({ settings }: { settings: Settings }) {
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

/** The embedding model, and whether it's used. Without a configured model, there is no choice. */
function SemanticSetting({ settings: { embedding, semanticSearch } }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const isOn = semanticSearch === 'on';
  if (isOn && !embedding.configured) return t('settings.keywordOnly');
  return (
    <div className="space-y-1">
      {isOn && <p>{embedding.model ?? t('settings.providerDefault')}</p>}
      <SwitchField
        label={t('models.semantic.switch')}
        hint={t('models.semantic.hint')}
        value={isOn}
        onChange={(on) => change.mutateAsync({ semanticSearch: on ? 'on' : 'off' })}
      />
      <Problem error={change.error} />
    </div>
  );
}
