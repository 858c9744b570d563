import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { setTitle } from './title.ts';

export function Pending() {
  return (
    <div className="mx-auto w-full max-w-3xl p-6">
      <Skeletons rows={5} />
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
  const { t } = useTranslation();
  const title = t('shell.notFound');
  useEffect(() => {
    setTitle({ view: title });
  }, [title]);
  return (
    <main id="main">
      <EmptyState icon="search" title={title}>
        <Link to="/" className="text-accent underline">
          {t('shell.toWorkspaces')}
        </Link>
      </EmptyState>
    </main>
  );
}
