import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { formatTime } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { OPERATIONS_AT_ONCE, type Operation, useOperations } from './queries.ts';

const LOOKS = { success: 'good', error: 'danger', blocked: 'warn', denied: 'calm' } as const;

/** The agent's operations in the cluster for this workspace, newest first; the URL has the page. */
export function Operations({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const { from = 0 } = useSearch({ from: '/w/$workspaceId/cluster' });
  const page = useOperations(workspaceId, from);
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-base font-semibold">{t('cluster.operations')}</h2>
      <Loaded
        query={page}
        rows={3}
        isEmpty={({ total }) => total === 0}
        empty={<p className="text-sm text-muted">{t('cluster.noOperations')}</p>}
      >
        {({ operations, total }) => (
          <>
            {operations.length > 0 && <Rows operations={operations} />}
            <Pager from={from} total={total} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function Rows({ operations }: { operations: Operation[] }) {
  const { t, i18n } = useTranslation();
  return (
    <DataTable
      label={t('cluster.operations')}
      rows={operations}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('cluster.when'),
          cell: ({ createdAt }) => (
            <span className="whitespace-nowrap">{formatTime(createdAt, i18n.language)}</span>
          ),
        },
        {
          name: t('cluster.what'),
          isLong: true,
          cell: ({ verb, resource, namespace, summary, approvedBy }) => (
            <>
              <span className="font-medium">
                {verb} {resource} {namespace && `(${namespace})`}
              </span>
              <span data-user-content className="block text-xs text-muted">
                {summary}
                {approvedBy !== null && ` · ${t('cluster.approved', { who: approvedBy })}`}
              </span>
            </>
          ),
        },
        {
          name: t('cluster.outcome'),
          cell: ({ status }) => <Badge look={LOOKS[status]}>{t(`cluster.states.${status}`)}</Badge>,
        },
      ]}
    />
  );
}

function Pager({ from, total }: { from: number; total: number }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/cluster' });
  const go = (next: number) => void navigate({ search: next > 0 ? { from: next } : {} });
  const end = from + OPERATIONS_AT_ONCE;
  return (
    <nav aria-label={t('cluster.operations')} className="mt-3 flex items-center justify-end gap-3 text-sm">
      <span className="text-muted">
        {t('cluster.page', { from: Math.min(from + 1, total), to: Math.min(end, total), total })}
      </span>
      {from > 0 && <Button onClick={() => go(from - OPERATIONS_AT_ONCE)}>{t('cluster.later')}</Button>}
      {end < total && <Button onClick={() => go(end)}>{t('cluster.earlier')}</Button>}
    </nav>
  );
}
