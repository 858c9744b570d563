import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { credential, signOut } from '../access/credential.ts';
import { api, take } from '../api/client.ts';
import type { Schemas } from '../api/schema.ts';
import { chooseLanguage, LANGUAGES, type Language } from '../languages/languages.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Choice } from '../parts/choice.tsx';
import { Skeletons } from '../parts/empty-state.tsx';
import { Facts } from '../parts/facts.tsx';
import { formatBytes } from '../parts/format.ts';
import { PageHead } from '../shell/page-head.tsx';
import { chooseTheme, THEMES, useTheme } from '../shell/theme.ts';
import { AiBanner } from './ai-banner.tsx';
import { useHealth, useSettings } from './queries.ts';

export function SettingsView() {
  const { t } = useTranslation();
  const health = useHealth();
  const settings = useSettings();
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
      <AiBanner />
      <Appearance />
      {settings.isPending && <Skeletons rows={3} className="h-16" />}
      {settings.data && <ServiceSettings settings={settings.data} />}
      <StorageCard />
    </>
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

function ServiceSettings({ settings }: { settings: Schemas['Settings'] }) {
  const { t } = useTranslation();
  const rows: [string, string][] = [
    [t('settings.model'), settings.llmModel ?? t('settings.usual')],
    [t('settings.provider'), settings.llmProvider ?? t('settings.none')],
    [
      t('settings.embedding'),
      settings.embedding.configured
        ? (settings.embedding.model ?? t('settings.usual'))
        : t('settings.byWords'),
    ],
    [t('settings.roots'), settings.workspaceRoots.join(', ')],
    [t('settings.timezone'), settings.reportTimezone],
  ];
  return (
    <Card title={t('settings.service')}>
      <Facts rows={rows} />
    </Card>
  );
}

function StorageCard() {
  const { t, i18n } = useTranslation();
  const storage = useQuery({
    queryKey: ['storage'],
    queryFn: () => take(api.GET('/api/system/storage')),
    retry: false,
  });
  if (!storage.data) return null;
  return (
    <Card title={t('settings.storage')}>
      <ul className="space-y-3">
        {storage.data.roots.map(({ path, totalBytes, freeBytes }) => (
          <li key={path} className="text-sm">
            <div className="flex justify-between gap-4">
              <span className="truncate">{path}</span>
              <span className="shrink-0 text-muted">
                {t('settings.free', { size: formatBytes(freeBytes, i18n.language) })}
              </span>
            </div>
            <div className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
              <div
                className="h-full rounded-full bg-accent"
                style={{ width: `${Math.round(100 * (1 - freeBytes / Math.max(1, totalBytes)))}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
