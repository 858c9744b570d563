import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Skeletons } from '../parts/empty-state.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { type Dataset, type Preview, usePreview } from './queries.ts';
import { pagesBeside, ROWS_SHOWN } from './rows-place.ts';
import { cellText } from './states.ts';

const MAX_SKELETONS = 13;

/** A page of a split's rows, selected by the URL. Only the needed part of a large file is read. */
export function RowsOfSplit({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  const { split, from = 0 } = useSearch({ from: '/w/$workspaceId/datasets/$datasetId' });
  const preview = usePreview(dataset.id, split, { from, count: ROWS_SHOWN });
  const { data } = preview;
  const splits = dataset.manifest?.splits ?? {};
  const known = (split === undefined ? undefined : splits[split]?.numRows) ?? ROWS_SHOWN;
  return (
    <Card title={t('datasets.preview')}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <SplitChoice dataset={dataset} chosen={data?.split} />
        {data && <Pages from={from} preview={data} isComing={preview.isPlaceholderData} />}
      </div>
      <Problem error={preview.error} />
      {preview.isPending && <Skeletons rows={Math.min(MAX_SKELETONS, known + 1)} className="h-7" />}
      {data && (
        <ScrollRegion
          key={`${split} ${from}`} // another page starts scrolled to its start
          data-user-content
          label={t('datasets.preview')}
          aria-busy={preview.isPlaceholderData}
          className="max-h-[32rem] overflow-auto aria-busy:opacity-60"
        >
          <PlainTable
            header={data.columns.map(({ name, type }) => (
              <>
                {name} <span className="font-normal text-muted">{type}</span>
              </>
            ))}
            rows={data.rows.map((row) => data.columns.map(({ name }) => cellText(row[name])))}
            cellClass="max-w-96 truncate"
          />
        </ScrollRegion>
      )}
      {data?.notices.map((notice) => (
        <div key={notice} className="mt-3 text-xs break-words text-muted">
          <ServiceText text={notice} />
        </div>
      ))}
    </Card>
  );
}

function SplitChoice({ dataset, chosen }: { dataset: Dataset; chosen: string | undefined }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  return (
    <nav aria-label={t('datasets.splits')} className="flex min-w-0 flex-wrap gap-1">
      {Object.keys(dataset.manifest?.splits ?? {}).map((each) => (
        <Link
          key={each}
          to="/w/$workspaceId/datasets/$datasetId"
          params={{ workspaceId, datasetId: dataset.id }}
          search={{ split: each }}
          aria-current={each === chosen}
          className="inline-flex min-h-9 items-center rounded-md px-3 text-sm wrap-anywhere hover:bg-sunken aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent"
        >
          {each}
        </Link>
      ))}
    </nav>
  );
}

interface PagesProps {
  from: number;
  preview: Preview;
  isComing: boolean;
}

function Pages({ from, preview, isComing }: PagesProps) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/datasets/$datasetId' });
  const { rows, totalRows } = preview;
  const number = new Intl.NumberFormat(i18n.language);
  const { before, after } = pagesBeside(from, rows.length, totalRows);
  const go = (to: number | undefined) =>
    void navigate({ search: ({ split }) => ({ split, from: to || undefined }), resetScroll: false });
  const shown = { first: number.format(from + 1), last: number.format(from + rows.length) };
  return (
    <div className="flex items-center gap-1">
      <p role="status" className="text-sm text-muted tabular-nums">
        {isComing && t('datasets.rowsComing')}
        {!isComing && rows.length === 0 && t('datasets.noRows')}
        {!isComing &&
          rows.length > 0 &&
          (totalRows === null
            ? t('datasets.rowsFrom', shown)
            : t('datasets.rowsOf', { ...shown, total: number.format(totalRows) }))}
      </p>
      <IconButton
        icon="back"
        label={t('datasets.rowsBefore')}
        disabled={before === undefined}
        onClick={() => go(before)}
      />
      <IconButton
        icon="right"
        label={t('datasets.rowsAfter')}
        disabled={after === undefined}
        onClick={() => go(after)}
      />
    </div>
  );
}
