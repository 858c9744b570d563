import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { type ListedWorkspace, useDeleteWorkspace } from './queries.ts';

interface Props {
  workspace: ListedWorkspace;
  onClose: () => void;
}

export function RemoveWorkspace({ workspace, onClose }: Props) {
  const { t } = useTranslation();
  const remove = useDeleteWorkspace();
  return (
    <ConfirmDialog
      title={t('workspaces.removeTitle', { name: workspace.name })}
      note={t('workspaces.removeNote')}
      action={t('workspaces.remove')}
      doing={remove}
      onConfirm={() => remove.mutate(workspace.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
