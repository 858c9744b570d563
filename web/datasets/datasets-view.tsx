import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { LinkButton } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatBytes } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Row, WHOLE_ROW } from '../parts/rows.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { DatasetActions } from './dataset-actions.tsx';
import { DatasetStatus } from './dataset-status.tsx';
import { Progress } from './progress.tsx';
import { type Dataset, useDatasets } from './queries.ts';

export function DatasetsView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const mayWrite = useMay('member');
  const datasets = useDatasets();
  return (
    <Page>
      <PageHead
        title={t('shell.datasets')}
        note={t('datasets.note')}
        actions={
          mayWrite && (
            <LinkButton icon="plus" to="/w/$workspaceId/datasets/new" params={{ workspaceId }}>
              {t('datasets.new')}
            </LinkButton>
          )
        }
      />
      <LoadedRows
        query={datasets}
        rows={3}
        rowClass="h-20"
        empty={<EmptyState icon="dataset" title={t('datasets.none')} next={t('datasets.noneNext')} />}
        label={t('shell.datasets')}
      >
        {(dataset) => <DatasetRow key={dataset.id} workspaceId={workspaceId} dataset={dataset} />}
      </LoadedRows>
    </Page>
  );
}

function DatasetRow({ workspaceId, dataset }: { workspaceId: string; dataset: Dataset }) {
  const { t, i18n } = useTranslation();
  const { id: datasetId, name, repoId, source, status, stats } = dataset;
  return (
    <Row>
      <div className="min-w-0 flex-1 basis-52">
        <Link
          to="/w/$workspaceId/datasets/$datasetId"
          params={{ workspaceId, datasetId }}
          data-user-content
          className={WHOLE_ROW}
        >
          {name}
        </Link>
        <p className="truncate text-xs text-muted">
          {t(`datasets.sources.${source}`)} · {repoId}
          {stats && ` · ${formatBytes(stats.sizeBytes, i18n.language)}`}
        </p>
      </div>
      <DatasetStatus status={status} />
      <DatasetActions dataset={dataset} onDeleted={() => {}} />
      <Progress dataset={dataset} />
    </Row>
  );
}
