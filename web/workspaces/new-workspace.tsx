import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { FolderList } from './folder-list.tsx';
import { FolderProblem, hasCode } from './folder-problem.tsx';
import { pathInRoot } from './path-in-root.ts';
import { type Folder, useCreateWorkspace, useRoots } from './queries.ts';

interface Props {
  /** True if the folder should exist; a missing folder is created only after confirmation. */
  isExisting: boolean;
  onClose: () => void;
}

export function NewWorkspace({ isExisting: isFirst, onClose }: Props) {
  const { t } = useTranslation();
  const [isExisting, setExisting] = useState(isFirst);
  const form = useNewWorkspace(isExisting);
  const { create, submit, draft, isMissing } = form;
  return (
    <FormDialog
      key={String(isExisting)} // focuses the field
      title={t(isExisting ? 'start.folder' : 'workspaces.new')}
      onClose={onClose}
      onSend={submit}
      sending={create}
      isWhole={draft.folder.trim() !== ''}
      action={t(isMissing ? 'folders.makeFolder' : isExisting ? 'folders.use' : 'folders.make')}
      problem={isMissing ? <Missing /> : <FolderProblem error={create.error} />}
    >
      {isExisting ? (
        <Existing form={form} />
      ) : (
        <>
          <New form={form} />
          <Button icon="files" onClick={() => setExisting(true)}>
            {t('start.folder')}
          </Button>
        </>
      )}
    </FormDialog>
  );
}

function New({ form: { roots, root = '', change, field } }: { form: ReturnType<typeof useNewWorkspace> }) {
  const { t } = useTranslation();
  return (
    <>
      {roots.length > 1 && (
        <SelectField
          label={t('folders.location')}
          value={root}
          options={roots.map((each) => [each, each])}
          onChange={(chosen) => change({ root: chosen })}
        />
      )}
      <Field label={t('folders.folder')} hint={t('folders.folderHint', { root })} required {...field} />
    </>
  );
}

/** Opening a folder chooses it, unless it contains workspaces and so can't be one. */
function Existing({ form: { roots, field } }: { form: ReturnType<typeof useNewWorkspace> }) {
  const { t } = useTranslation();
  const [place, setPlace] = useState('');
  const open = (path: string, folder: Folder | undefined) => {
    setPlace(path);
    field.onChange(folder === undefined || folder.state === 'around' ? '' : folder.path);
  };
  return (
    <>
      <Field
        label={t('folders.folder')}
        hint={t('folders.existingHint', { root: roots[0] ?? '' })}
        required
        {...field}
      />
      <FolderList place={place} onOpen={open} />
    </>
  );
}

/** The draft and its request. After a refusal, any change of the draft removes the message. */
function useNewWorkspace(isExisting: boolean) {
  const navigate = useNavigate();
  const create = useCreateWorkspace();
  const roots = useRoots() ?? [];
  const initial: { root: string | undefined; folder: string } = { root: undefined, folder: '' };
  const { draft, change, drop, field } = useFormDraft('workspace', initial);
  const root = draft.root ?? roots[0];
  const isMissing = isExisting && hasCode(create.error, 'path_not_found');
  const submit = () => {
    const path = pathInRoot(isExisting ? undefined : root, draft.folder);
    const done = ({ id }: { id: string }) => {
      drop();
      void navigate({ to: '/w/$workspaceId/files', params: { workspaceId: id } });
    };
    create.mutate({ path, create: !isExisting || isMissing }, { onSuccess: done });
  };
  const onChange = (value: string) => {
    create.reset();
    field('folder').onChange(value);
  };
  return { create, submit, draft, change, roots, root, isMissing, field: { ...field('folder'), onChange } };
}

function Missing() {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <Banner look="warn">{t('folders.missing')}</Banner>
    </div>
  );
}
