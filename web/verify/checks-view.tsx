import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import type { Run } from '../agent/queries.ts';
import { RunList } from '../agent/run-list.tsx';
import { useRunsOfKind } from '../agent/runs-of-kind.ts';
import { IconButton } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { useDeleteCheck } from './queries.ts';
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

/** Deletes an ended check that the person may read; for another person's draft, only the run is listed. */
function DeleteCheck({ run: { id, draft, finishedAt } }: { run: Run }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteCheck();
  if (draft === undefined || finishedAt === null) return null;
  const { name } = draft;
  return (
    <>
      <IconButton
        icon="trash"
        label={t('verify.deleteNamed', { name })}
        className="relative"
        onClick={() => setAsking(true)}
      />
      {isAsking && (
        <ConfirmDialog
          title={t('verify.deleteTitle', { name })}
          note={t('verify.deleteNote')}
          action={t('verify.delete')}
          doing={remove}
          onConfirm={() => remove.mutate(id, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
