import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { useSettings } from '../settings/queries.ts';
import { folderOf } from './folder-name.ts';
import { holdsLogin } from './holds-login.ts';
import { useClone } from './queries.ts';

interface Draft {
  url: string;
  /** Null: named after the repository. */
  folder: string | null;
}

const EMPTY: Draft = { url: '', folder: null };

/** A clone is a workspace of its own, and opens when it is made. */
export function CloneDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const clone = useClone();
  const root = useSettings().data?.workspaceRoots[0];
  const { draft, change, drop } = useFormDraft('new clone', EMPTY, holdsLogin);
  const { url, folder } = draft;
  const name = (folder ?? folderOf(url)).trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = ({ id }: { id: string }) => {
      drop();
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
          onChange={({ target }) => change({ url: target.value })}
        />
        <Field
          label={t('git.folder')}
          required
          value={folder ?? folderOf(url)}
          onChange={({ target }) => change({ folder: target.value })}
        />
        <Problem error={clone.error} />
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
