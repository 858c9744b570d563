import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { useSettings } from '../settings/queries.ts';
import { FolderProblem, hasCode } from './folder-problem.tsx';
import { pathInRoot } from './path-in-root.ts';
import { useCreateWorkspace } from './queries.ts';

interface Props {
  /** True if the folder should exist; a missing folder is created only after confirmation. */
  isExisting: boolean;
  onClose: () => void;
}

export function NewWorkspace({ isExisting, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useCreateWorkspace();
  const roots = useSettings().data?.workspaceRoots ?? [];
  const { draft, change, drop, field } = useFormDraft('workspace', { root: roots[0], folder: '' });
  const { root, folder } = draft;
  const isMissing = isExisting && hasCode(create.error, 'path_not_found');
  const submit = () => {
    const path = pathInRoot(root, folder);
    const done = ({ id }: { id: string }) => {
      drop();
      void navigate({ to: '/w/$workspaceId/files', params: { workspaceId: id } });
    };
    create.mutate({ path, create: !isExisting || isMissing }, { onSuccess: done });
  };
  const folderField = field('folder');
  const name = (value: string) => {
    create.reset(); // a folder with this name may exist now
    folderField.onChange(value);
  };
  return (
    <FormDialog
      title={t(isExisting ? 'start.folder' : 'workspaces.new')}
      onClose={onClose}
      onSend={submit}
      sending={create}
      isWhole={folder.trim() !== ''}
      action={t(isMissing ? 'workspaces.makeFolder' : isExisting ? 'workspaces.use' : 'workspaces.make')}
      problem={isMissing ? <Missing /> : <FolderProblem error={create.error} />}
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
        hint={t(isExisting ? 'workspaces.existingHint' : 'workspaces.folderHint', { root: root ?? '' })}
        required
        {...folderField}
        onChange={name}
      />
    </FormDialog>
  );
}

function Missing() {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <Banner look="warn">{t('workspaces.missing')}</Banner>
    </div>
  );
}
