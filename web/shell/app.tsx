import { useIsFetching } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Access } from '../access/access.tsx';
import { ApiError } from '../api/client.ts';
import { queries } from '../api/queries.ts';
import { useIsAwaited, useIsUnreachedShown } from '../api/reach.ts';
import { PaletteKey } from '../palette/palette-key.tsx';

export function App() {
  const { t } = useTranslation();
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-surface focus:px-4 focus:py-2"
      >
        {t('shell.skip')}
      </a>
      <Connection />
      <Access>
        <Outlet />
        <PaletteKey />
      </Access>
    </>
  );
}

/** Reports that the service can't be reached, as long as that lasts: each view retries on its own. */
function Connection() {
  const { t } = useTranslation();
  useIsFetching();
  const failed = useSyncExternalStore((told) => queries.getQueryCache().subscribe(told), isLost);
  const isAwaited = useIsAwaited();
  const isShown = useIsUnreachedShown();
  const lost = (failed || isAwaited) && !isShown;
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-40 flex justify-center">
      {lost && (
        <p className="mt-2 rounded-md bg-warn-soft px-4 py-1.5 text-sm text-warn shadow-raised">
          {t('shell.notReached')}
        </p>
      )}
    </div>
  );
}

function isLost(): boolean {
  return queries
    .getQueryCache()
    .getAll()
    .some(
      ({ state }) => state.fetchFailureReason instanceof ApiError && state.fetchFailureReason.status === 0,
    );
}
