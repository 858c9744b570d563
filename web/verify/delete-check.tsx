import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Run } from '../agent/queries.ts';
import { IconButton } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useDeleteCheck } from './queries.ts';

/** For a check that is over and that the person may read: of another's draft, only its run is listed. */
export function DeleteCheck({ run: { id, draft, finishedAt } }: { run: Run }) {
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
