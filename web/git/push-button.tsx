import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { type RepositoryStatus, usePush } from './queries.ts';

/** Pushes after a question, because others then see the commits. */
export function PushButton({ workspaceId, status }: { workspaceId: string; status: RepositoryStatus }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const push = usePush(workspaceId);
  const { branch, hasUpstream, ahead } = status;
  return (
    <>
      <Button icon="upload" onClick={() => setAsking(true)}>
        {t('git.push')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('git.pushAsk', { branch })}
          note={hasUpstream ? t('git.pushNote', { count: ahead }) : t('git.pushNew')}
          action={t('git.push')}
          doing={push}
          onClose={() => setAsking(false)}
          onConfirm={() => push.mutate(undefined, { onSuccess: () => setAsking(false) })}
        />
      )}
    </>
  );
}
