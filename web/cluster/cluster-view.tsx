import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatTime } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { Nodes } from './nodes.tsx';
import { Operations } from './operations.tsx';
import { hasCluster, type Status } from './picture.ts';
import { useClusterStatus } from './queries.ts';

export function ClusterView() {
  const { t, i18n } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const cluster = useClusterStatus();
  const status = hasCluster(cluster.data) ? cluster.data : undefined;
  return (
    <Page isWide>
      <PageHead
        title={t('cluster.title')}
        note={status && t('cluster.asOf', { time: formatTime(status.timestamp, i18n.language) })}
        actions={
          status && (
            <Button icon="again" disabled={cluster.isFetching} onClick={() => void cluster.refetch()}>
              {t('cluster.again')}
            </Button>
          )
        }
      />
      <Loaded
        query={cluster}
        rows={3}
        rowClass="h-24"
        empty={
          <EmptyState icon="server" title={t('cluster.off')}>
            <p>{t('cluster.offNext')}</p>
            <p className="mt-2">
              <DocsLink page="guides/kubernetes">{t('cluster.guide')}</DocsLink>
            </p>
          </EmptyState>
        }
        isEmpty={({ configured }) => !configured}
      >
        {() =>
          status && (
            <>
              {status.error && (
                <Banner look="warn">
                  <ServiceText text={status.error} label={t('cluster.incomplete')} />
                </Banner>
              )}
              <Nodes status={status} />
              <Jobs jobs={status.jobs} />
              <Pods pods={status.pods} />
            </>
          )
        }
      </Loaded>
      <Operations workspaceId={workspaceId} />
    </Page>
  );
}

function Jobs({ jobs }: Pick<Status, 'jobs'>) {
  const { t } = useTranslation();
  const count = (name: 'active' | 'succeeded' | 'failed') => ({
    name: t(`cluster.${name}`),
    isNumber: true,
    cell: (job: Status['jobs'][number]) => job[name],
  });
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-base font-semibold">{t('cluster.jobs')}</h2>
      {jobs.length === 0 ? (
        <p className="text-sm text-muted">{t('cluster.noJobs')}</p>
      ) : (
        <DataTable
          label={t('cluster.jobs')}
          rows={jobs}
          keyOf={({ namespace, name }) => `${namespace}/${name}`}
          columns={[
            { name: t('cluster.name'), cell: ({ name }) => name, isLong: true },
            { name: t('cluster.namespace'), cell: ({ namespace }) => namespace },
            count('active'),
            count('succeeded'),
            count('failed'),
          ]}
        />
      )}
    </section>
  );
}

const PHASES: Record<string, 'good' | 'warn' | 'danger'> = {
  Running: 'good',
  Pending: 'warn',
  Failed: 'danger',
};

/** The pods, with their phase in the cluster's own words. */
function Pods({ pods }: Pick<Status, 'pods'>) {
  const { t } = useTranslation();
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-base font-semibold">{t('cluster.podsHere')}</h2>
      {pods.length === 0 ? (
        <p className="text-sm text-muted">{t('cluster.noPods')}</p>
      ) : (
        <DataTable
          label={t('cluster.podsHere')}
          rows={pods}
          keyOf={({ namespace, name }) => `${namespace}/${name}`}
          columns={[
            { name: t('cluster.name'), cell: ({ name }) => name, isLong: true },
            { name: t('cluster.namespace'), cell: ({ namespace }) => namespace },
            {
              name: t('cluster.phase'),
              cell: ({ phase }) => <Badge look={PHASES[phase] ?? 'calm'}>{phase}</Badge>,
            },
            { name: t('cluster.node'), cell: ({ nodeName }) => nodeName || t('cluster.waiting') },
            { name: t('cluster.gpu'), cell: ({ gpu }) => gpu, isNumber: true },
          ]}
        />
      )}
    </section>
  );
}
