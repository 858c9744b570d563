import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { useHealth } from './queries.ts';

const KEYS = { openai: 'PROVIDER_A_API_KEY', anthropic: 'PROVIDER_B_API_KEY', gemini: 'PROVIDER_C_API_KEY' };

function pageOf(language: string): string {
  return language === 'zh-CN' ? 'zh-CN/quickstart' : 'get-started/quickstart#connect-a-model';
}

/** Calm: everything else works without a model. */
export function AiBanner() {
  const { t, i18n } = useTranslation();
  const health = useHealth();
  if (health.data?.aiAvailable !== false) return null;
  return (
    <Banner>
      {t('shell.noModel', KEYS)} <DocsLink page={pageOf(i18n.language)}>{t('shell.otherModels')}</DocsLink>
    </Banner>
  );
}
