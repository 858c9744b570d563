import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { RunList } from '../agent/run-list.tsx';
import { useRunsOfKind } from '../agent/runs-of-kind.ts';
import { BrokenLine } from '../broken-citations/broken-line.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { StartForm } from './start-form.tsx';

export function ReportsView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const may = useMay('member', workspaceId);
  const reports = useRunsOfKind(workspaceId, 'research');
  return (
    <Page>
      <PageHead title={t('shell.research')} note={t('research.note')} />
      <div className="mb-6 empty:hidden">
        <AiBanner />
        <BrokenLine workspaceId={workspaceId} />
      </div>
      {may && <StartForm workspaceId={workspaceId} />}
      <section aria-label={t('research.reports')} className="mt-8">
        <Loaded
          query={reports}
          rowClass="h-14"
          empty={
            <EmptyState
              icon="report"
              title={t('research.none')}
              next={t(may ? 'research.noneNext' : 'research.noneRead')}
            />
          }
        >
          {(items) => <RunList runs={items} />}
        </Loaded>
      </section>
    </Page>
  );
}
