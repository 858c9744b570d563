import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/problem.tsx';
import { useWorkspace } from '../workspaces/queries.ts';
import { FrameHeading } from './frame-heading.tsx';
import { Sidebar } from './sidebar.tsx';

/** A workspace with its navigation at the side, or in a drawer if the screen is narrow. */
export function WorkspaceFrame() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const workspace = useWorkspace(workspaceId);
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a drawer closes when another page opens
  useEffect(() => setOpen(false), [pathname]);
  if (workspace.error)
    return (
      <main id="main" className="mx-auto max-w-3xl space-y-4 p-8">
        <FrameHeading title={t('workspaces.title')} />
        <Problem error={workspace.error} onRetry={() => workspace.refetch()} />
        <Link to="/" className="text-accent underline">
          {t('shell.toWorkspaces')}
        </Link>
      </main>
    );
  const name = workspace.data?.name ?? '';
  return (
    <div className="flex h-full">
      <aside
        aria-label={t('shell.sideList')}
        className="hidden w-72 shrink-0 border-r border-line bg-sunken/60 lg:block"
      >
        <Sidebar workspaceId={workspaceId} name={name} />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex items-center gap-2 border-b border-line px-2 py-1.5 lg:hidden">
          <IconButton icon="menu" label={t('shell.openMenu')} onClick={() => setOpen(true)} />
          <span className="truncate text-sm font-semibold">{name}</span>
        </header>
        <main id="main" tabIndex={-1} className="min-h-0 flex-1 outline-none">
          <FrameHeading title={name} />
          <Outlet />
        </main>
      </div>
      {isOpen && (
        <Dialog side="left" title={name} onClose={() => setOpen(false)}>
          <div className="-mx-5 h-[calc(100dvh-5rem)]">
            <Sidebar workspaceId={workspaceId} name={name} bare />
          </div>
        </Dialog>
      )}
    </div>
  );
}
