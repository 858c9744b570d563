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

/** Asks before changes are discarded. Files that aren't tracked are deleted only if that was chosen. */
export function DiscardDialog({ workspaceId, files, onClose }: Props) {
  const { t } = useTranslation();
  const discard = useDiscard(workspaceId);
  const untracked = files.filter(({ status, path }) => status === 'untracked' && !path.endsWith('/')).length;
  const isOnlyUntracked = untracked === files.length;
  const [deletes, setDeletes] = useState(isOnlyUntracked);
  const [only] = files;
  const path = files.length === 1 ? only?.path : undefined;
  const title = isOnlyUntracked ? 'git.deleteAsk' : 'git.discardAsk';
  return (
    <ConfirmDialog
      title={path === undefined ? t(`${title}All`, { count: files.length }) : t(title, { path })}
      note={t(isOnlyUntracked ? 'git.deleteNote' : 'git.discardNote')}
      action={t(isOnlyUntracked ? 'git.delete' : 'git.discard')}
      doing={discard}
      onClose={onClose}
      onConfirm={() => discard.mutate({ paths: [path ?? ''], untracked: deletes }, { onSuccess: onClose })}
    >
      {untracked > 0 && !isOnlyUntracked && (
        <div className="mt-3">
          <CheckField
            label={t('git.alsoDelete', { count: untracked })}
            hint={t('git.deleteNote')}
            checked={deletes}
            onChange={setDeletes}
          />
        </div>
      )}
    </ConfirmDialog>
  );
}
