import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../parts/back-link.tsx';
import { Card } from '../parts/card.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { formatBytes } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { DatasetActions } from './dataset-actions.tsx';
import { DatasetStatus } from './dataset-status.tsx';
import { Links } from './links.tsx';
import { Progress } from './progress.tsx';
import { type Dataset, useDataset } from './queries.ts';
import { RowsOfSplit } from './rows-of-split.tsx';

export function DatasetView() {
  const { t } = useTranslation();
  const { workspaceId, datasetId } = useParams({ from: '/w/$workspaceId/datasets/$datasetId' });
  const dataset = useDataset(datasetId);
  return (
    <Page>
      <BackLink to="/w/$workspaceId/datasets" params={{ workspaceId }}>
        {t('shell.datasets')}
      </BackLink>
      <Loaded query={dataset} rows={6}>
        {(data) => <OneDataset workspaceId={workspaceId} dataset={data} />}
      </Loaded>
    </Page>
  );
}

function OneDataset({ workspaceId, dataset }: { workspaceId: string; dataset: Dataset }) {
  const navigate = useNavigate();
  const { id, name, status, manifest } = dataset;
  const leave = () => void navigate({ to: '/w/$workspaceId/datasets', params: { workspaceId } });
  return (
    <>
      <PageHead title={name} isContent note={<DatasetStatus status={status} />} />
      <DatasetActions dataset={dataset} onDeleted={leave} />
      <Progress dataset={dataset} />
      <Source dataset={dataset} />
      {status === 'ready' && <Links datasetId={id} workspaceId={workspaceId} />}
      {manifest && <Splits dataset={dataset} />}
      {manifest && Object.keys(manifest.splits).length > 0 && <RowsOfSplit dataset={dataset} />}
    </>
  );
}

function Source({ dataset }: { dataset: Dataset }) {
  const { t, i18n } = useTranslation();
  const { source, repoId, revision, commit, stats, localPath, allowPatterns, ignorePatterns } = dataset;
  const rows: [string, string | null | undefined][] = [
    [t('datasets.from'), t(`datasets.sources.${source}`)],
    [t('datasets.repo'), source === 'local' ? null : repoId],
    [t('datasets.revision'), [revision, commit].filter((each) => each !== null).join(' · ') || null],
    [t('datasets.allow'), allowPatterns?.join('\n')],
    [t('datasets.ignore'), ignorePatterns?.join('\n')],
    [t('datasets.folder'), localPath],
    [t('datasets.size'), stats && formatBytes(stats.sizeBytes, i18n.language)],
    [
      t('datasets.formats'),
      stats &&
        Object.entries(stats.formats)
          .map(([format, count]) => `${format}: ${count}`)
          .join('\n'),
    ],
  ];
  return (
    <div className="mt-4">
      <FactList facts={rows.filter((row): row is [string, string] => typeof row[1] === 'string')} />
    </div>
  );
}

const FILES_SHOWN = 200;

function Splits({ dataset }: { dataset: Dataset }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const rowsOf = (rows: number | null) => (rows === null ? '' : number.format(rows));
  return (
    <Card title={t('datasets.splits')}>
      {Object.entries(dataset.manifest?.splits ?? {}).map(([name, { files, numFiles, numRows }]) => (
        <details key={name} className="border-b border-line last:border-0">
          <summary className="flex min-h-10 flex-wrap items-center gap-x-4 text-sm">
            <span className="font-medium break-all">{name}</span>
            <span className="text-muted">
              {t('datasets.splitFacts', { files: number.format(numFiles), rows: rowsOf(numRows) || '–' })}
            </span>
          </summary>
          <ScrollRegion label={name} className="max-h-96 overflow-auto pb-3">
            <PlainTable
              header={[t('datasets.file'), t('datasets.format'), t('datasets.size'), t('datasets.rows')]}
              rows={files
                .slice(0, FILES_SHOWN)
                .map(({ path, format, sizeBytes, rows }) => [
                  path,
                  format,
                  formatBytes(sizeBytes, i18n.language),
                  rowsOf(rows),
                ])}
            />
          </ScrollRegion>
          {files.length > FILES_SHOWN && (
            <p className="pb-3 text-sm text-muted">{t('datasets.firstFiles', { count: FILES_SHOWN })}</p>
          )}
        </details>
      ))}
    </Card>
  );
}
