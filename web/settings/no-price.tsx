import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll } from '../access/role.ts';

/** Shown instead of a cost, for a model without a price. */
export function NoPrice() {
  const { t } = useTranslation();
  return (
    <span title={t('settings.noPrice')}>
      <span aria-hidden="true">–</span>
      <span className="sr-only">{t('settings.noPrice')}</span>
    </span>
  );
}

/** Shown next to a missing cost; administrators can set the price. */
export function SetPrice() {
  const { t } = useTranslation();
  if (!useIsAdminOfAll()) return null;
  return (
    <Link to="/settings" hash="prices" className="text-xs font-normal text-accent underline">
      {t('settings.setPrice')}
    </Link>
  );
}
