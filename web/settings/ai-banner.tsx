import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { useHealth } from './queries.ts';

/** That there is no model, and what the reader can do about it. Calm: everything else works without one. */
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

/** For administrators, the way to the settings of models; for others, whom to ask. */
export function ConnectLink() {
  const { t } = useTranslation();
  if (!useIsAdminOfAll()) return t('shell.askForModel');
  return (
    <Link to="/settings" className="text-accent underline">
      {t('shell.connectModel')}
    </Link>
  );
}
