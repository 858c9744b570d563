import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../parts/empty-state.tsx';
import { isRunning, syncQuery, useStartSync } from './queries.ts';
import { SyncButton, SyncState } from './sync-panel.tsx';

/** Says what to do first, or that files are being indexed: nothing can be asked about yet. */
export function NoFiles({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const sync = useQuery(syncQuery(workspaceId));
  const start = useStartSync(workspaceId);
  if (sync.data && isRunning(sync.data))
    return (
      <EmptyState icon="again" title={t('chat.indexing')}>
        <p>{t('chat.indexingNext')}</p>
        <SyncState state={sync.data} />
      </EmptyState>
    );
  return (
    <EmptyState icon="upload" title={t('chat.noFiles')}>
      <p>{t('chat.noFilesNext')}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        <Link
          to="/w/$workspaceId/files"
          params={{ workspaceId }}
          className="inline-flex min-h-9 items-center rounded-md bg-accent px-3.5 font-medium text-on-accent"
        >
          {t('chat.addFiles')}
        </Link>
        <SyncButton state={sync.data} start={start} />
      </div>
    </EmptyState>
  );
}
