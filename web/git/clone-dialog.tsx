import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../chat/draft.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { useSettings } from '../settings/queries.ts';
import { folderOf } from './folder-name.ts';
import { useClone } from './queries.ts';

/** A clone is a workspace of its own: whoever made it is led there. */
export function CloneDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const clone = useClone();
  const root = useSettings().data?.workspaceRoots[0];
  const [url, setUrl] = useDraft('clone');
  const [folder, setFolder] = useState<string>();
  const name = (folder ?? folderOf(url)).trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = ({ id }: { id: string }) => {
      setUrl('');
      void navigate({ to: '/w/$workspaceId/files', params: { workspaceId: id } });
    };
    clone.mutate({ url: url.trim(), rootPath: root ? `${root}/${name}` : name }, { onSuccess: done });
  };
  return (
    <Dialog title={t('git.clone')} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4 text-left">
        <p className="text-sm text-muted">{t('git.cloneNote')}</p>
        <Field
          label={t('git.url')}
          inputMode="url"
          required
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        <Field
          label={t('git.folder')}
          required
          value={folder ?? folderOf(url)}
          onChange={({ target }) => setFolder(target.value)}
        />
        {clone.error && <Problem error={clone.error} />}
        <div role="status">{clone.isPending && <Banner>{t('git.cloning')}</Banner>}</div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('parts.cancel')}</Button>
          <Button look="main" type="submit" disabled={!url.trim() || !name || clone.isPending}>
            {t('git.start')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
