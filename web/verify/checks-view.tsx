import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { RunList } from '../agent/run-list.tsx';
import { useRunsOfKind } from '../agent/runs-of-kind.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { DeleteCheck } from './delete-check.tsx';
import { StartForm } from './start-form.tsx';

export function ChecksView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const may = useMay('member', workspaceId);
  const checks = useRunsOfKind(workspaceId, 'verify');
  return (
    <Page>
      <PageHead title={t('shell.drafts')} note={t('verify.note')} />
      {may && <StartForm workspaceId={workspaceId} />}
      <section aria-labelledby="earlier-checks" className="mt-8">
        <h2 id="earlier-checks" className="mb-2 text-base font-semibold">
          {t('verify.checks')}
        </h2>
        <Loaded
          query={checks}
          rowClass="h-14"
          empty={
            <EmptyState
              icon="check"
              title={t('verify.none')}
              next={t(may ? 'verify.noneNext' : 'verify.noneRead')}
            />
          }
        >
          {(items) => (
            <RunList runs={items} actionsOf={may ? (run) => <DeleteCheck run={run} /> : undefined} />
          )}
        </Loaded>
      </section>
    </Page>
  );
}
