import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { useHealth } from './queries.ts';

/** Calm: everything else works without a model. */
export function AiBanner() {
  const { t } = useTranslation();
  const health = useHealth();
  if (health.data?.aiAvailable !== false) return null;
  return (
    <Banner>{t('shell.noModel', { variable: 'PROVIDER_A_API_KEY', address: 'PROVIDER_A_BASE_URL' })}</Banner>
  );
}
