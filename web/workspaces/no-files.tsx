import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useUploadsOf } from '../files/uploads/running-uploads.ts';
import { uploadedSoFar } from '../files/uploads/upload.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { factsOf } from './index-facts.ts';
import { Freshness } from './index-line.tsx';
import { type IndexState, syncQuery, useStartSync } from './queries.ts';
import { SyncButton } from './sync-panel.tsx';

/** Says what to do first, or that files are being indexed, because nothing can be asked about yet. */
export function NoFiles({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const sync = useQuery(syncQuery(workspaceId));
  const facts = sync.data && factsOf(sync.data);
  const uploaded = uploadedSoFar(useUploadsOf(workspaceId));
  if (uploaded !== undefined)
    return (
      <EmptyState icon="upload" title={t('chat.uploading')}>
        <p role="status">{t('chat.uploadingNext', uploaded)}</p>
      </EmptyState>
    );
  if (sync.data && facts?.freshness === 'indexing')
    return (
      <EmptyState icon="again" title={t('chat.indexing')}>
        <p>{t('chat.indexingNext')}</p>
        <Freshness state={sync.data} />
      </EmptyState>
    );
  if (facts && facts.skipped + facts.unreadable > 0)
    return (
      <EmptyState icon="info" title={t('chat.noneSearchable')}>
        <p>{t('chat.noneSearchableNext')}</p>
        <Actions workspaceId={workspaceId} state={sync.data} />
        <Link to="/w/$workspaceId" params={{ workspaceId }} className="text-accent underline">
          {t('chat.openIndex')}
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState icon="upload" title={t('chat.noFiles')}>
      <p>{t('chat.noFilesNext')}</p>
      <Actions workspaceId={workspaceId} state={sync.data} />
    </EmptyState>
  );
}

function Actions({ workspaceId, state }: { workspaceId: string; state: IndexState | undefined }) {
  const { t } = useTranslation();
  const start = useStartSync(workspaceId);
  return (
    <div className="my-5 flex flex-wrap justify-center gap-2">
      <Link
        to="/w/$workspaceId/files"
        params={{ workspaceId }}
        className="inline-flex min-h-9 items-center rounded-md bg-accent px-3.5 font-medium text-on-accent"
      >
        {t('chat.addFiles')}
      </Link>
      <SyncButton state={state} start={start} />
    </div>
  );
}
