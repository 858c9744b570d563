import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMayMakeWorkspaces } from '../access/role.ts';
import { readDropped } from '../files/uploads/read-dropped.ts';
import { useDrop } from '../first-use/use-drop.ts';
import { useOpenExample } from '../first-use/use-open-example.ts';
import { withCatalog, withFirstUseCatalog } from '../languages/languages.ts';
import { Button } from '../parts/button.tsx';
import { Skeletons } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Problem } from '../parts/problem.tsx';
import { useFileDrop } from '../parts/use-file-drop.ts';
import { AiBanner } from '../settings/ai-banner.tsx';
import { ConnectModels } from '../settings/connect-models.tsx';
import { Brand } from '../shell/brand.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { setTitle } from '../shell/title.ts';
import { type ListedWorkspace, useStates, useWorkspaces } from './queries.ts';
import { Recent } from './recent.tsx';
import { WorkspaceCard } from './workspace-card.tsx';

const fetchFirstUse = withFirstUseCatalog(() => import('../first-use/first-use.tsx'));
const FirstUse = lazy(async () => ({ default: (await fetchFirstUse()).FirstUse }));

const fetchNewWorkspace = withCatalog(() => import('./new-workspace.tsx'));
const NewWorkspace = lazy(async () => ({ default: (await fetchNewWorkspace()).NewWorkspace }));
const fetchCloneDialog = withCatalog(() => import('../git/clone-dialog.tsx'));
const CloneDialog = lazy(async () => ({ default: (await fetchCloneDialog()).CloneDialog }));

/** The start page: workspaces with their states, and recent work; without a workspace, how to start. */
export function WorkspacesView() {
  const [making, setMaking] = useState<'new' | 'existing' | 'clone'>();
  const mayMake = useMayMakeWorkspaces();
  const drop = useDrop();
  const close = () => setMaking(undefined);
  return (
    <DropPage mayDrop={mayMake} drop={drop}>
      <div className="mx-auto w-full max-w-4xl px-5 py-6 sm:py-8">
        <TopRow />
        <Problem error={drop.error} />
        <Listed
          making={{
            drop,
            onNewFolder: () => setMaking('new'),
            onUseFolder: () => setMaking('existing'),
            onClone: () => setMaking('clone'),
          }}
        />
        <Suspense>
          {(making === 'new' || making === 'existing') && (
            <NewWorkspace isExisting={making === 'existing'} onClose={close} />
          )}
          {making === 'clone' && <CloneDialog onClose={close} />}
        </Suspense>
      </div>
    </DropPage>
  );
}

interface DropProps {
  mayDrop: boolean;
  drop: ReturnType<typeof useDrop>;
  children: ReactNode;
}

/** Receives files that are dropped anywhere on the page, for a new workspace. */
function DropPage({ mayDrop, drop, children }: DropProps) {
  const { t } = useTranslation();
  const take = async (transfer: DataTransfer) => {
    const dropped = await readDropped(transfer);
    if (dropped.length > 0) drop.mutate(dropped);
  };
  const isOver = useFileDrop(mayDrop ? (transfer) => void take(transfer) : undefined);
  return (
    <main id="main" className="min-h-full">
      {children}
      {isOver && (
        <div className="pointer-events-none fixed inset-0 z-30 flex items-center justify-center bg-canvas/85 outline-2 -outline-offset-8 outline-accent outline-dashed">
          <p className="flex items-center gap-3 text-lg font-semibold">
            <Icon name="upload" size={26} />
            {t('workspaces.dropHere')}
          </p>
        </div>
      )}
    </main>
  );
}

function TopRow() {
  const { t } = useTranslation();
  return (
    <div className="mb-6 flex items-center justify-between gap-3 sm:mb-8">
      <Brand />
      <Link
        to="/settings"
        className="flex min-h-9 items-center gap-2 rounded-md px-2.5 text-sm hover:bg-sunken"
      >
        <Icon name="settings" size={16} />
        {t('shell.settings')}
      </Link>
    </div>
  );
}

interface Making {
  drop: ReturnType<typeof useDrop>;
  onNewFolder: () => void;
  onUseFolder: () => void;
  onClone: () => void;
}

function Head({ making: { onNewFolder, onClone } }: { making: Making }) {
  const { t } = useTranslation();
  const mayMake = useMayMakeWorkspaces();
  const actions = mayMake && (
    <>
      <Button icon="branch" onClick={onClone}>
        {t('workspaces.clone')}
      </Button>
      <Button look="main" icon="plus" onClick={onNewFolder}>
        {t('workspaces.new')}
      </Button>
    </>
  );
  return <PageHead title={t('workspaces.title')} note={t('workspaces.note')} actions={actions} />;
}

function Listed({ making }: { making: Making }) {
  const workspaces = useWorkspaces();
  const isNone = workspaces.data?.length === 0;
  return (
    <>
      {workspaces.isPending && <HeadPlace />}
      {!workspaces.isPending && !isNone && <Head making={making} />}
      {!workspaces.isPending && !isNone && <AiBanner />}
      <div className="mt-4">
        <Loaded query={workspaces} rows={3} rowClass="h-20" empty={<Beginning making={making} />}>
          {(listed) => <Cards listed={listed} />}
        </Loaded>
      </div>
    </>
  );
}

/** A placeholder for the heading until the page knows whether there are workspaces. */
function HeadPlace() {
  const { t } = useTranslation();
  return (
    <div className="h-20">
      <h1 className="sr-only">{t('workspaces.title')}</h1>
    </div>
  );
}

function Beginning({ making }: { making: Making }) {
  const { t } = useTranslation();
  const mayMake = useMayMakeWorkspaces();
  const [isLater, setLater] = useState(false);
  useEffect(() => setTitle({ view: '' }), []);
  return (
    <Suspense fallback={<Skeletons rows={2} className="h-40" />}>
      <h1 className="sr-only">{t('workspaces.title')}</h1>
      <FirstUse {...making} />
      {mayMake && !isLater && (
        <div className="mt-6">
          <ConnectModels onLater={() => setLater(true)} />
        </div>
      )}
    </Suspense>
  );
}

/** Other ways to start on the first page without a workspace, in one line. */
function OtherWays({ hasExample }: { hasExample: boolean }) {
  const { t } = useTranslation();
  const mayMake = useMayMakeWorkspaces();
  const open = useOpenExample();
  if (!mayMake) return null;
  return (
    <>
      <p className="mt-3 flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
        {t('workspaces.dropNote')}
        {!hasExample && (
          <button
            type="button"
            disabled={open.isPending}
            onClick={() => open.mutate()}
            className="min-h-9 text-accent underline disabled:opacity-50"
          >
            {t('workspaces.openExample')}
          </button>
        )}
      </p>
      <Problem error={open.error} />
    </>
  );
}

function Cards({ listed }: { listed: ListedWorkspace[] }) {
  const states = useStates();
  const stateOf = new Map(states.data?.map(({ id, state }) => [id, state]));
  return (
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
      <OtherWays hasExample={listed.some(({ example }) => example !== undefined)} />
      {!states.isError && <Recent workspaces={states.data} />}
    </>
  );
}
