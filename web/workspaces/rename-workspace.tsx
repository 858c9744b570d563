import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { useRenameWorkspace } from './queries.ts';

interface Props {
  workspace: { id: string; name: string };
  onClose: () => void;
}

/** Asks for another name. The folder keeps its name. */
export function RenameWorkspace({ workspace, onClose }: Props) {
  const { t } = useTranslation();
  const rename = useRenameWorkspace(workspace.id);
  const [name, setName] = useState(workspace.name);
  return (
    <FormDialog
      title={t('workspaces.rename')}
      onClose={onClose}
      onSend={() => rename.mutate(name.trim(), { onSuccess: onClose })}
      sending={rename}
      isWhole={name.trim() !== ''}
      action={t('parts.save')}
    >
      <Field
        label={t('workspaces.name')}
        hint={t('workspaces.nameHint')}
        value={name}
        maxLength={200}
        required
        onChange={setName}
      />
    </FormDialog>
  );
}
