import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { RunStatus } from '../agent/run-status.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatTime } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Row, WHOLE_ROW } from '../parts/rows.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { CreateForm } from './create-form.tsx';
import type { TableSummary } from './evidence-table.ts';
import { useTables } from './queries.ts';

export function TablesView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const may = useMay('member', workspaceId);
  const tables = useTables(workspaceId);
  return (
    <Page>
      <PageHead title={t('shell.tables')} note={t('evidence.note')} />
      {may && <CreateForm workspaceId={workspaceId} />}
      <section aria-labelledby="tables" className="mt-8">
        <h2 id="tables" className="mb-2 text-base font-semibold">
          {t('evidence.tables')}
        </h2>
        <LoadedRows
          query={tables}
          rowClass="h-14"
          label={t('evidence.tables')}
          empty={
            <EmptyState
              icon="list"
              title={t('evidence.none')}
              next={t(may ? 'evidence.noneNext' : 'evidence.noneRead')}
            />
          }
        >
          {(table) => <TableLine key={table.id} table={table} />}
        </LoadedRows>
      </section>
    </Page>
  );
}

function TableLine({ table }: { table: TableSummary }) {
  const { t, i18n } = useTranslation();
  const { id, workspaceId, name, rowCount, columns, createdAt, run } = table;
  return (
    <Row>
      <div className="min-w-0 flex-1">
        <Link
          to="/w/$workspaceId/tables/$tableId"
          params={{ workspaceId, tableId: id }}
          data-user-content
          className={WHOLE_ROW}
        >
          {name}
        </Link>
        <p className="text-xs text-muted">
          {t('evidence.documentsCount', { count: rowCount })} ·{' '}
          {t('evidence.columnsCount', { count: columns.length })} · {formatTime(createdAt, i18n.language)}
        </p>
      </div>
      {run && <RunStatus status={run.status} />}
    </Row>
  );
}

/** Opens the table of a run, to which lists of runs and webhooks lead. */
export function TableOfRun() {
  const { workspaceId, runId } = useParams({ from: '/w/$workspaceId/tables/runs/$runId' });
  const navigate = useNavigate();
  const { data } = useTables(workspaceId);
  useEffect(() => {
    if (data === undefined) return;
    const tableId = data.find(({ run }) => run?.runId === runId)?.id;
    const params = { workspaceId, tableId: tableId ?? '' };
    if (tableId === undefined) void navigate({ to: '/w/$workspaceId/tables', params, replace: true });
    else void navigate({ to: '/w/$workspaceId/tables/$tableId', params, replace: true });
  }, [data, runId, workspaceId, navigate]);
  return null;
}
