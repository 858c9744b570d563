import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

/** What went wrong: the service's own words where it was reached, ours where it was not. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { t } = useTranslation();
  const unreached = error instanceof ApiError && error.status === 0;
  return (
    <div role="alert">
      <Banner
        look={unreached ? 'warn' : 'danger'}
        action={onRetry && <Button onClick={onRetry}>{t('parts.tryAgain')}</Button>}
      >
        {unreached ? t('parts.unreached') : error.message || t('parts.failed')}
      </Banner>
    </div>
  );
}
