import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sayEnded } from '../../lib/api-contract/support-words.ts';
import { SourcePanel } from '../chat/source-panel.tsx';
import { BackLink } from '../parts/back-link.tsx';
import { Banner } from '../parts/banner.tsx';
import { CheckField } from '../parts/field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { formatCost } from '../research/format-cost.ts';
import { ProgressCard } from '../research/progress-panel.tsx';
import { CellCard } from './cell-card.tsx';
import { citationsOf, openCell } from './cell-text.ts';
import { type EvidenceTable, isOpen, type TableRow } from './evidence-table.ts';
import { useTable } from './queries.ts';
import { TableGrid } from './table-grid.tsx';
import { TableHead } from './table-head.tsx';

const FROM = '/w/$workspaceId/tables/$tableId';

/** A table with its cells so far. The open cell and the open quote are in the URL. */
export function TableView() {
  const { t } = useTranslation();
  const { workspaceId, tableId } = useParams({ from: FROM });
  const search = useSearch({ from: FROM });
  const table = useTable(tableId, search.look === '1');
  const pages = table.data?.pages ?? [];
  const first = pages[0]?.table;
  const rows = pages.flatMap((page) => page.table.rows);
  const opened = first && openCell(rows, first.columns, search);
  return (
    <div className="flex h-full">
      <div className="min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-6xl space-y-5 px-5 py-8">
          <BackLink to="/w/$workspaceId/tables" params={{ workspaceId }}>
            {t('evidence.tables')}
          </BackLink>
          <Loaded query={{ ...table, data: first }} rows={6} rowClass="h-12">
            {(loaded) => <Whole table={loaded} rows={rows} etag={pages[0]?.etag} />}
          </Loaded>
          <MoreButton list={table} />
        </div>
        {opened && (
          <CellCard
            key={`${opened.row.path} ${opened.column.id}`}
            {...opened}
            tableId={tableId}
            workspaceId={workspaceId}
          />
        )}
      </div>
      {opened?.cell && <OpenSource workspaceId={workspaceId} cell={opened.cell} />}
    </div>
  );
}

interface WholeProps {
  table: EvidenceTable;
  rows: TableRow[];
  etag: string | undefined;
}

function Whole({ table, rows, etag }: WholeProps) {
  const { run, used } = table;
  const { t } = useTranslation();
  return (
    <>
      <TableHead table={table} etag={etag} />
      {isOpen(table) && <Progress table={table} />}
      {run?.error && (
        <Banner look="danger">
          <ServiceText text={run.error} label={t('evidence.failed')} />
        </Banner>
      )}
      {!isOpen(table) && used?.ended && (
        <Banner look="warn">
          {t('evidence.ended')} <ServiceText text={sayEnded(used.ended, 'The run')} />
        </Banner>
      )}
      {!isOpen(table) && table.estimate.calls > 0 && <Rest table={table} />}
      <Look table={table} />
      <TableGrid table={table} rows={rows} />
    </>
  );
}

function Progress({ table: { counts, run } }: { table: EvidenceTable }) {
  const { t } = useTranslation();
  const done = counts.cells - counts.waiting;
  return (
    <ProgressCard
      label={t('evidence.progress')}
      said={t(run?.scope === 'pilot' ? 'evidence.readingPilot' : 'evidence.reading')}
      counts={t('evidence.cellsOf', { done, count: counts.cells })}
      max={Math.max(1, counts.cells)}
      value={done}
    >
      {null}
    </ProgressCard>
  );
}

/** Shows the calls and the cost of reading the other documents, and starts that. */
function Rest({ table: { estimate } }: { table: EvidenceTable }) {
  const { t, i18n } = useTranslation();
  const { calls, costUsd } = estimate;
  return (
    <Banner>
      {t('evidence.rest', { count: calls })}{' '}
      {costUsd === null
        ? t('evidence.noPrice')
        : t('evidence.about', { cost: formatCost(costUsd, i18n.language) })}
    </Banner>
  );
}

/** Shows the number of cells that a person should still look at, and filters them. */
function Look({ table: { counts } }: { table: EvidenceTable }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: FROM });
  const { look } = useSearch({ from: FROM });
  const change = (only: boolean) =>
    void navigate({ search: (before) => ({ ...before, look: only ? '1' : undefined }), resetScroll: false });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
      <p role="status">
        {counts.look > 0 ? t('evidence.look', { count: counts.look }) : t('evidence.lookNone')}{' '}
        <span className="text-muted">
          {t('evidence.counts', { ...counts, count: counts.found, notStated: counts.notStated })}
        </span>
      </p>
      {(counts.look > 0 || look === '1') && (
        <CheckField label={t('evidence.onlyLook')} checked={look === '1'} onChange={change} />
      )}
    </div>
  );
}

function OpenSource({
  workspaceId,
  cell,
}: {
  workspaceId: string;
  cell: EvidenceTable['rows'][number]['cells'][string];
}) {
  const { source } = useSearch({ from: FROM });
  const all = citationsOf(cell);
  const citation = all.find(({ index }) => String(index) === source);
  if (source === undefined || citation === undefined) return null;
  return (
    <SourcePanel
      workspaceId={workspaceId}
      citation={citation}
      source={source}
      among={all.map(({ index }) => String(index))}
      sentences={[]}
    />
  );
}
