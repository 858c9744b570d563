import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay, useMayMakeWorkspaces } from '../access/role.ts';
import type { Schemas } from '../api/schema.ts';
import { useFormDraft } from '../chat/draft.ts';
import { CloneDialog } from '../git/clone-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { formatAgo } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { Problem } from '../parts/problem.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { useSettings } from '../settings/queries.ts';
import { PageHead } from '../shell/page-head.tsx';
import { useCreateWorkspace, useDeleteWorkspace, useWorkspaces } from './queries.ts';

export function WorkspacesView() {
  const { t } = useTranslation();
  const workspaces = useWorkspaces();
  const mayMake = useMayMakeWorkspaces();
  const [making, setMaking] = useState<'new' | 'clone'>();
  const close = () => setMaking(undefined);
  return (
    <main id="main" className="mx-auto w-full max-w-4xl px-5 py-8 sm:py-12">
      <PageHead
        title={t('workspaces.title')}
        note={t('workspaces.note')}
        actions={
          <>
            <Link
              to="/settings"
              className="flex min-h-9 items-center gap-2 rounded-md px-2.5 text-sm hover:bg-sunken"
            >
              <Icon name="settings" size={16} />
              {t('shell.settings')}
            </Link>
            {mayMake && (
              <>
                <Button icon="branch" onClick={() => setMaking('clone')}>
                  {t('git.clone')}
                </Button>
                <Button look="main" icon="plus" onClick={() => setMaking('new')}>
                  {t('workspaces.new')}
                </Button>
              </>
            )}
          </>
        }
      />
      <AiBanner />
      <div className="mt-4">
        {workspaces.error && <Problem error={workspaces.error} onRetry={() => workspaces.refetch()} />}
        {workspaces.isPending && <Skeletons rows={3} className="h-20" />}
        {workspaces.data?.length === 0 && (
          <EmptyState icon="files" title={t('workspaces.none')}>
            <p>{t(mayMake ? 'workspaces.noneNext' : 'workspaces.noneForYou')}</p>
          </EmptyState>
        )}
        <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          {workspaces.data?.map((workspace) => (
            <WorkspaceCard key={workspace.id} workspace={workspace} />
          ))}
        </ul>
      </div>
      {making === 'new' && <NewWorkspace onClose={close} />}
      {making === 'clone' && <CloneDialog onClose={close} />}
    </main>
  );
}

function WorkspaceCard({ workspace }: { workspace: Schemas['Workspace'] }) {
  const { t, i18n } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const mayRemove = useMay('member');
  return (
    <li className="relative flex items-start gap-3 rounded-lg border border-line bg-surface p-4 transition-shadow focus-within:shadow-raised hover:shadow-raised">
      <span className="rounded-md bg-accent-soft p-2 text-accent">
        <Icon name="files" />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to="/w/$workspaceId/chat"
          params={{ workspaceId: workspace.id }}
          className="block truncate font-semibold after:absolute after:inset-0"
        >
          {workspace.name}
        </Link>
        <p className="truncate text-xs text-muted" title={workspace.rootPath}>
          {workspace.rootPath}
        </p>
        <p className="mt-1 text-xs text-muted">{formatAgo(workspace.createdAt, i18n.language)}</p>
      </div>
      {mayRemove && (
        <div className="relative">
          <Menu
            label={t('workspaces.menuOf', { name: workspace.name })}
            items={[
              {
                icon: 'trash',
                label: t('workspaces.remove'),
                danger: true,
                onSelect: () => setLeaving(true),
              },
            ]}
          />
        </div>
      )}
      {isLeaving && <RemoveWorkspace workspace={workspace} onClose={() => setLeaving(false)} />}
    </li>
  );
}

function RemoveWorkspace({ workspace, onClose }: { workspace: Schemas['Workspace']; onClose: () => void }) {
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

function NewWorkspace({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useCreateWorkspace();
  const roots = useSettings().data?.workspaceRoots ?? [];
  const { draft, change, drop } = useFormDraft('workspace', { root: roots[0], folder: '' });
  const { root, folder } = draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const path = root === undefined ? folder.trim() : `${root}/${folder.trim()}`;
    const done = ({ id }: { id: string }) => {
      drop();
      void navigate({ to: '/w/$workspaceId/files', params: { workspaceId: id } });
    };
    create.mutate({ path }, { onSuccess: done });
  };
  return (
    <Dialog title={t('workspaces.new')} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
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
          value={folder}
          required
          onChange={({ target }) => change({ folder: target.value })}
        />
        {create.error && <Problem error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('parts.cancel')}</Button>
          <Button look="main" type="submit" disabled={create.isPending || folder.trim() === ''}>
            {t('workspaces.make')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
