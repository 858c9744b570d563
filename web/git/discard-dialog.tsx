import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { CheckField } from '../parts/field.tsx';
import { type ChangedFile, useDiscard } from './queries.ts';

interface Props {
  workspaceId: string;
  files: ChangedFile[];
  onClose: () => void;
}

/** Asks before changes are discarded. Untracked files are deleted only if that was chosen. */
export function DiscardDialog({ workspaceId, files, onClose }: Props) {
  const { t } = useTranslation();
  const discard = useDiscard(workspaceId);
  const untracked = files.filter(({ status, path }) => status === 'untracked' && !path.endsWith('/')).length;
  const isOnlyUntracked = untracked === files.length;
  const [deletes, setDeletes] = useState(isOnlyUntracked);
  const [only] = files;
  const path = files.length === 1 ? (only?.path ?? '') : '';
  const shared = {
    doing: discard,
    onClose,
    onConfirm: () => discard.mutate({ paths: [path], untracked: deletes }, { onSuccess: onClose }),
  };
  if (isOnlyUntracked)
    return (
      <ConfirmDialog
        title={path === '' ? t('git.deleteAskAll', { count: untracked }) : t('git.deleteAsk', { path })}
        note={t('git.deleteNote')}
        action={t('git.delete')}
        {...shared}
      />
    );
  return (
    <ConfirmDialog
      title={path === '' ? t('git.discardAskAll', { count: files.length }) : t('git.discardAsk', { path })}
      note={t('git.discardNote')}
      action={t('git.discard')}
      {...shared}
    >
      {untracked > 0 && (
        <div className="mt-3">
          <CheckField
            label={t('git.alsoDelete', { count: untracked })}
            checked={deletes}
            onChange={setDeletes}
          />
        </div>
      )}
    </ConfirmDialog>
  );
}
