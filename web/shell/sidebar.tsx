import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { useWaitingRuns } from '../agent/queries.ts';
import { useBrokenCitations } from '../broken-citations/queries.ts';
import { ConversationList } from '../conversations/conversation-list.tsx';
import { openByKey } from '../palette/open-by-key.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { keyLabel } from '../parts/pressed-key.ts';
import { RenameWorkspace } from '../workspaces/rename-workspace.tsx';
import { type NavGroup as Group, MAIN_ITEMS, NAV_GROUPS, type WorkspaceItem } from './nav-items.ts';

interface Props {
  workspaceId: string;
  name: string;
  /** True for the drawer, which has its own heading. */
  bare?: boolean;
}

export function Sidebar({ workspaceId, name, bare }: Props) {
  return (
    <div className="flex h-full flex-col">
      {!bare && <Heading workspaceId={workspaceId} name={name} />}
      <PaletteButton />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <NavItems workspaceId={workspaceId} />
        <ConversationList workspaceId={workspaceId} />
      </div>
      <WaysOut />
    </div>
  );
}

function Heading({ workspaceId, name }: Pick<Props, 'workspaceId' | 'name'>) {
  const { t } = useTranslation();
  const [isRenaming, setRenaming] = useState(false);
  const mayRename = useMay('member', workspaceId);
  return (
    <div className="group/name flex items-center pt-2.5 pr-2 pb-1.5">
      <Link
        to="/"
        className="flex min-h-9 min-w-0 flex-1 items-center gap-2 pl-4 text-base font-semibold"
        title={t('shell.toWorkspaces')}
      >
        <span className="truncate">{name || '…'}</span>
        <span className="ml-auto pr-1 text-muted">
          <Icon name="down" size={16} />
        </span>
      </Link>
      {mayRename && name !== '' && (
        <IconButton
          icon="edit"
          label={t('workspaces.renameOf', { name })}
          onClick={() => setRenaming(true)}
        />
      )}
      {isRenaming && (
        <RenameWorkspace workspace={{ id: workspaceId, name }} onClose={() => setRenaming(false)} />
      )}
    </div>
  );
}

function PaletteButton() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      onClick={() => openByKey('palette')}
      className="mx-2 mb-2 flex min-h-9 items-center gap-2.5 rounded-md border border-line bg-surface px-2.5 text-sm text-muted hover:bg-sunken"
    >
      <Icon name="search" size={16} />
      {t('shell.palette')}
      <kbd className="ml-auto font-sans text-xs">{keyLabel('palette')}</kbd>
    </button>
  );
}

function NavItems({ workspaceId }: Pick<Props, 'workspaceId'>) {
  const { t } = useTranslation();
  const waiting = useWaitingRuns(workspaceId);
  return (
    <nav aria-label={t('shell.navigation')} className="space-y-0.5 px-2">
      {MAIN_ITEMS.map((item) => (
        <NavLink key={item.to} item={item} workspaceId={workspaceId}>
          {'runs' in item && <Waiting count={waiting.filter(({ kind }) => kind === item.runs).length} />}
        </NavLink>
      ))}
      {NAV_GROUPS.map((group) => (
        <NavGroup key={group.name} group={group} workspaceId={workspaceId} />
      ))}
    </nav>
  );
}

/** The number of runs on a page that wait for a person. */
function Waiting({ count }: { count: number }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <span className="ml-auto rounded-full bg-warn-soft px-2 text-xs text-warn">
      {t('shell.waitingCount', { count })}
    </span>
  );
}

const BROKEN = '/w/$workspaceId/broken';

/** The number of broken citations on the first page of their list. */
function Broken({ workspaceId }: Pick<Props, 'workspaceId'>) {
  const { t } = useTranslation();
  const { data = [], hasNextPage } = useBrokenCitations(workspaceId);
  if (data.length === 0) return null;
  return (
    <span
      role="img"
      aria-label={t('shell.brokenCount', { count: data.length })}
      className="ml-auto rounded-full bg-warn-soft px-2 text-xs text-warn tabular-nums"
    >
      {data.length}
      {hasNextPage && '+'}
    </span>
  );
}

/** Links to pages outside this workspace. */
function WaysOut() {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('shell.service')} className="border-t border-line px-2 py-2">
      <Link
        to="/"
        className={`${NAV_ITEM} data-[status=active]:bg-transparent data-[status=active]:font-normal data-[status=active]:text-ink`}
      >
        <Icon name="back" />
        {t('shell.toWorkspaces')}
      </Link>
      <Link to="/settings" className={NAV_ITEM}>
        <Icon name="settings" />
        {t('shell.settings')}
      </Link>
    </nav>
  );
}

/** A collapsible group, open if it contains the current page, or if the user left it open. */
function NavGroup({ group, workspaceId }: { group: Group; workspaceId: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const isInside = group.items.some(({ to }) => isAt(pathname, to, workspaceId));
  const [isKept, setKept] = useState(() => localStorage.getItem(group.name) !== null);
  const keep = ({ currentTarget: { open } }: SyntheticEvent<HTMLDetailsElement>) => {
    if (open && isInside) return;
    if (open) localStorage.setItem(group.name, 'open');
    else localStorage.removeItem(group.name);
    setKept(open);
  };
  return (
    <details open={isInside || isKept} onToggle={keep} className="group/items">
      <summary className="flex min-h-8 list-none items-center gap-1.5 rounded-md px-2.5 text-xs font-medium text-muted hover:bg-sunken">
        {t(group.name)}
        <span className="transition-transform group-open/items:rotate-90">
          <Icon name="right" size={14} />
        </span>
        {!(isInside || isKept) && group.items.some(({ to }) => to === BROKEN) && (
          <Broken workspaceId={workspaceId} />
        )}
      </summary>
      <div className="space-y-0.5 pb-1">
        {group.items.map((item) => (
          <NavLink key={item.to} item={item} workspaceId={workspaceId}>
            {item.to === BROKEN && <Broken workspaceId={workspaceId} />}
          </NavLink>
        ))}
      </div>
    </details>
  );
}

/**
 * Returns whether a path is the item's page or below it. The overview's path is above all other pages, so it
 * must match exactly.
 */
function isAt(pathname: string, to: WorkspaceItem['to'], workspaceId: string): boolean {
  const page = to.replace('$workspaceId', workspaceId);
  return pathname === page || (!isOverview(to) && pathname.startsWith(`${page}/`));
}

function isOverview(to: WorkspaceItem['to']): boolean {
  return to === '/w/$workspaceId';
}

const NAV_ITEM =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm hover:bg-sunken data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-accent';

interface NavLinkProps {
  item: WorkspaceItem;
  workspaceId: string;
  children?: ReactNode;
}

function NavLink({ item, workspaceId, children }: NavLinkProps) {
  const { t } = useTranslation();
  const may = useMay(item.least ?? 'viewer', workspaceId);
  if (item.least !== undefined && !may) return null;
  return (
    <Link
      to={item.to}
      params={{ workspaceId }}
      activeOptions={{ exact: isOverview(item.to), includeSearch: false }}
      className={NAV_ITEM}
    >
      <Icon name={item.icon} />
      {t(item.name)} {children}
    </Link>
  );
}
