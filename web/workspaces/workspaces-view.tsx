import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMayMakeWorkspaces } from '../access/role.ts';
import { CloneDialog } from '../git/clone-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { useSettings } from '../settings/queries.ts';
import { PageHead } from '../shell/page-head.tsx';
import { useCreateWorkspace, useStates, useWorkspaces } from './queries.ts';
import { Recent } from './recent.tsx';
import { WorkspaceCard } from './workspace-card.tsx';

/** The start page: workspaces, their states, and recent work. */
export function WorkspacesView() {
  return (
    <main id="main" className="mx-auto w-full max-w-4xl px-5 py-8 sm:py-12">
      <Head />
      <AiBanner />
      <div className="mt-4">
        <Listed />
      </div>
    </main>
  );
}

function Head() {
  const { t } = useTranslation();
  const mayMake = useMayMakeWorkspaces();
  const [making, setMaking] = useState<'new' | 'clone'>();
  const close = () => setMaking(undefined);
  return (
    <>
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
      {making === 'new' && <NewWorkspace onClose={close} />}
      {making === 'clone' && <CloneDialog onClose={close} />}
    </>
  );
}

function Listed() {
  const { t } = useTranslation();
  const workspaces = useWorkspaces();
  const states = useStates();
  const mayMake = useMayMakeWorkspaces();
  const stateOf = new Map(states.data?.map(({ id, state }) => [id, state]));
  return (
    <Loaded
      query={workspaces}
      rows={3}
      rowClass="h-20"
      empty={
        <EmptyState
          icon="files"
          title={t('workspaces.none')}
          next={t(mayMake ? 'workspaces.noneNext' : 'workspaces.noneForYou')}
        />
      }
    >
      {(listed) => (
        <>
          <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
            {listed.map((workspace) => (
              <WorkspaceCard
                key={workspace.id}
                workspace={workspace}
                state={stateOf.get(workspace.id)}
                isAsked={states.isPending}
              />
            ))}
          </ul>
          {!states.isError && <Recent workspaces={states.data} />}
        </>
      )}
    </Loaded>
  );
}

function NewWorkspace({ onClose }: { onClose: () => void }) {
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
