import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { pastedGitUrl } from '../../lib/api-contract/pasted.ts';
import { Banner } from '../parts/banner.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { FolderProblem } from '../workspaces/folder-problem.tsx';
import { pathInRoot } from '../workspaces/path-in-root.ts';
import { useRoots } from '../workspaces/queries.ts';
import { folderOf } from './folder-name.ts';
import { holdsLogin } from './holds-login.ts';
import { useClone } from './queries.ts';

interface Draft {
  url: string;
  /** The folder; null if it's named after the repository. */
  folder: string | null;
}

const EMPTY: Draft = { url: '', folder: null };

/** Clones a repository into a new workspace, which opens when it's created. */
export function CloneDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const clone = useClone();
  const root = useRoots()?.[0];
  const { draft, change, drop, field } = useFormDraft('new clone', EMPTY, holdsLogin);
  const { url, folder } = draft;
  const name = (folder ?? folderOf(url)).trim();
  const submit = () => {
    const done = ({ id }: { id: string }) => {
      drop();
      void navigate({ to: '/w/$workspaceId/files', params: { workspaceId: id } });
    };
    clone.mutate({ url: url.trim(), rootPath: pathInRoot(root, name) }, { onSuccess: done });
  };
  return (
    <FormDialog
      title={t('workspaces.clone')}
      onClose={onClose}
      onSend={submit}
      sending={clone}
      isWhole={url.trim() !== '' && name !== ''}
      action={t('git.start')}
      problem={<FolderProblem error={clone.error} />}
      className="space-y-4 text-left"
    >
      <p className="text-sm text-muted">{t('git.cloneNote')}</p>
      <Field label={t('git.url')} inputMode="url" required reads={pastedGitUrl} {...field('url')} />
      <Field
        label={t('git.folder')}
        required
        value={folder ?? folderOf(url)}
        onChange={(value) => change({ folder: value })}
      />
      <div role="status">{clone.isPending && <Banner>{t('git.cloning')}</Banner>}</div>
    </FormDialog>
  );
}
