import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { useSettings } from '../settings/queries.ts';
import { useCreateWorkspace } from './queries.ts';

export function NewWorkspace({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useCreateWorkspace();
  const roots = useSettings().data?.workspaceRoots ?? [];
  const { draft, change, drop, field } = useFormDraft('workspace', { root: roots[0], folder: '' });
  const { root, folder } = draft;
  const submit = () => {
    const path = root === undefined ? folder.trim() : `${root}/${folder.trim()}`;
    const done = ({ id }: { id: string }) => {
      drop();
      void navigate({ to: '/w/$workspaceId/files', params: { workspaceId: id } });
    };
    create.mutate({ path }, { onSuccess: done });
  };
  return (
    <FormDialog
      title={t('workspaces.new')}
      onClose={onClose}
      onSend={submit}
      sending={create}
      isWhole={folder.trim() !== ''}
      action={t('workspaces.make')}
    >
      {roots.length > 1 && (
        <SelectField
          label={t('workspaces.root')}
          value={root ?? ''}
          options={roots.map((each) => [each, each])}
          onChange={(chosen) => change({ root: chosen })}
        />
      )}
      <Field
        label={t('workspaces.folder')}
        hint={t('workspaces.folderHint', { root: root ?? '' })}
        required
        {...field('folder')}
      />
    </FormDialog>
  );
}
