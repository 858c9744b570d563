import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { formatAgo } from '../parts/format.ts';
import { Meter } from '../parts/meter.tsx';
import { Problem } from '../parts/problem.tsx';
import { type Reindex, useReindex, useStartReindex } from './queries.ts';

const LOOKS = { idle: 'calm', running: 'accent', ready: 'good', failed: 'warn' } as const;

/** Re-indexes all workspaces after a change of the embedding model, a few at a time. */
export function ReindexCard() {
  const { t } = useTranslation();
  const reindex = useReindex();
  const start = useStartReindex();
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={t('health.reindex')}>
      <p className="mb-3 text-sm text-muted">{t('health.reindexNote')}</p>
      <Problem error={reindex.error} onRetry={() => reindex.refetch()} />
      {reindex.data && <Progress reindex={reindex.data} />}
      {reindex.data && reindex.data.status !== 'running' && (
        <Button icon="again" onClick={() => setAsking(true)}>
          {t('health.startReindex')}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('health.askReindex')}
          note={t('health.askReindexNote')}
          action={t('health.startReindex')}
          doing={start}
          onConfirm={() => start.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

function Progress({ reindex: { status, workspaces, textsEmbedded, finishedAt } }: { reindex: Reindex }) {
  const { t, i18n } = useTranslation();
  if (status === 'idle') return null;
  const { total, done, failed } = workspaces;
  return (
    <div className="mb-4 space-y-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge look={LOOKS[status]}>{t(`health.reindexStates.${status}`)}</Badge>
        <span role="status">{t('health.reindexDone', { done, total, texts: textsEmbedded })}</span>
        {failed > 0 && <span className="text-warn">{t('health.reindexFailed', { count: failed })}</span>}
        {finishedAt && <span className="text-muted">{formatAgo(finishedAt, i18n.language)}</span>}
      </div>
      {status === 'running' && <Meter label={t('health.reindex')} share={total === 0 ? 0 : done / total} />}
    </div>
  );
}
