import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useStartReindex } from '../health/queries.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { useWorkspaces } from '../workspaces/queries.ts';
import { BackLink } from './back.tsx';
import { JudgeOffer } from './judge-setting.tsx';

export interface Connected {
  /** True if semantic search has a model that it didn't have before. */
  embedsAnew: boolean;
}

/** The next steps after a model was connected: the question that waits, and files without embeddings. */
export function ConnectedNext({ embedsAnew }: Connected) {
  const { t } = useTranslation();
  const { back } = useSearch({ strict: false });
  const workspaces = useWorkspaces();
  const hasFiles = (workspaces.data ?? []).length > 0;
  return (
    <div className="space-y-2">
      <Banner>
        {t('models.done')} <BackLink back={back} />
      </Banner>
      {embedsAnew && hasFiles && <ReindexOffer />}
      <JudgeOffer />
    </div>
  );
}

/** Offers to re-index. Nothing is embedded unasked, because a provider may charge for it. */
function ReindexOffer() {
  const { t } = useTranslation();
  const start = useStartReindex();
  if (start.isSuccess)
    return (
      <Banner>
        {t('models.reindexing')}{' '}
        <Link to="/settings/health" className="text-accent underline">
          {t('models.seeReindexing')}
        </Link>
      </Banner>
    );
  const action = (
    <Button icon="again" disabled={start.isPending} onClick={() => start.mutate()}>
      {t('models.reindex')}
    </Button>
  );
  return (
    <>
      <Banner action={action}>{t('models.notEmbedded')}</Banner>
      <Problem error={start.error} />
    </>
  );
}
