import { type Query, useIsFetching } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Access } from '../access/access.tsx';
import { ApiError } from '../api/client.ts';
import { queries } from '../api/queries.ts';
import { untilReached, useIsAwaited, useIsUnreachedShown } from '../api/reach.ts';
import { PaletteKey } from '../palette/palette-key.tsx';
import { keepFocus } from './keep-focus.ts';

export function App() {
  const { t } = useTranslation();
  useEffect(() => keepFocus(document), []);
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

/** Says that the service is unreachable, unless a message in the page does; each view retries on its own. */
function Connection() {
  const { t } = useTranslation();
  useIsFetching();
  const failed = useSyncExternalStore((told) => queries.getQueryCache().subscribe(told), isLost);
  const isAwaited = useIsAwaited();
  const isShown = useIsUnreachedShown();
  const lost = useLasts(failed || isAwaited) && !isShown;
  useEffect(() => {
    if (failed) void untilReached();
  }, [failed]);
  useEffect(() => (isAwaited ? readAgain : undefined), [isAwaited]);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 z-40 max-sm:top-0 sm:bottom-0">
      {lost && (
        <p className="mx-auto my-2 w-fit rounded-md bg-warn-soft px-4 py-1.5 text-sm text-warn shadow-raised">
          {t('shell.notReached')}
        </p>
      )}
    </div>
  );
}

/** Milliseconds in which the view's own message, which makes the banner unnecessary, can appear. */
const LASTS_MS = 1_500;

function useLasts(isSo: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLasts(isSo), isSo ? LASTS_MS : 0);
    return () => clearTimeout(timer);
  }, [isSo]);
  return isSo && lasts;
}

/** Retries without waiting for each query's next attempt. */
function readAgain(): void {
  void queries.refetchQueries({ predicate: isUnreached });
}

function isLost(): boolean {
  return queries.getQueryCache().getAll().some(isUnreached);
}

/** Returns whether a query of a visible view failed because the service was unreachable; others aren't retried. */
function isUnreached(query: Query): boolean {
  const { fetchFailureReason } = query.state;
  return query.isActive() && fetchFailureReason instanceof ApiError && fetchFailureReason.status === 0;
}
