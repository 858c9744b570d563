import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { tryNow, useIsAwaited } from '../api/reach.ts';
import { Button } from '../parts/button.tsx';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { setTitle } from './title.ts';

/** Shown while a page is being fetched. If the service is unreachable, the banner above says so. */
export function Pending() {
  const { t } = useTranslation();
  const isAwaited = useIsAwaited();
  return (
    <div className="mx-auto w-full max-w-3xl space-y-4 p-6">
      <Skeletons rows={5} />
      {isAwaited && (
        <Button icon="again" onClick={tryNow}>
          {t('parts.tryAgain')}
        </Button>
      )}
    </div>
  );
}

export function RouteProblem({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto w-full max-w-3xl p-6">
      <Problem error={error as Error} onRetry={reset} />
    </div>
  );
}

export function NotFound() {
  return (
    <main id="main">
      <NotFoundHere />
    </main>
  );
}

/** A missing page inside a frame, which stays visible. */
export function NotFoundHere() {
  const { t } = useTranslation();
  const title = t('shell.notFound');
  useEffect(() => {
    setTitle({ view: title });
  }, [title]);
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <EmptyState icon="search" title={title}>
        <Link to="/" className="text-accent underline">
          {t('shell.toWorkspaces')}
        </Link>
      </EmptyState>
    </>
  );
}
