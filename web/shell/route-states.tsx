import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';

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
  return (
    <EmptyState icon="search" title={t('shell.notFound')}>
      <Link to="/" className="text-accent underline">
        {t('shell.toWorkspaces')}
      </Link>
    </EmptyState>
  );
}
