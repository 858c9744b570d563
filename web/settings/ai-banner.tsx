import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { useBackHere } from './back.tsx';
import { useHealth } from './queries.ts';

/**
 * Shows that there is no model, and what the reader can do about it. It isn't alarming, because everything
 * else works without one.
 */
export function AiBanner() {
  const { t } = useTranslation();
  const health = useHealth();
  if (health.data?.aiAvailable !== false) return null;
  return (
    <Banner>
      {t('shell.noModel')} <ConnectLink />
    </Banner>
  );
}

/** Returns what a reader can do about a model error. Administrators can open the settings. */
export function modelRemedy(code: string | undefined) {
  if (code === undefined || !REMEDIED.has(code)) return undefined;
  return <SettingsLink />;
}

const REMEDIED = new Set([
  'model_certificate_refused',
  'model_credential_refused',
  'model_not_configured',
  'model_not_found',
  'model_unreachable',
]);

export function SettingsLink() {
  const { t } = useTranslation();
  const back = useBackHere();
  if (!useIsAdminOfAll()) return undefined;
  return (
    <Link to="/settings" search={back} className="underline">
      {t('shell.openSettings')}
    </Link>
  );
}

/** A link to the model settings for administrators. For others, it says whom to ask. */
export function ConnectLink() {
  const { t } = useTranslation();
  const back = useBackHere();
  if (!useIsAdminOfAll()) return t('shell.askForModel');
  return (
    <Link to="/settings" search={back} className="text-accent underline">
      {t('shell.connectModel')}
    </Link>
  );
}
