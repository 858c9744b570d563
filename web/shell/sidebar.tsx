import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useWaitingRuns } from '../agent/queries.ts';
import { ConversationList } from '../conversations/conversation-list.tsx';
import { openPalette } from '../palette/palette-key.tsx';
import { Icon } from '../parts/icon.tsx';
import { NavGroup } from './nav-group.tsx';
import { MAIN_ITEMS, NAV_GROUPS } from './nav-items.ts';
import { NAV_ITEM, NavLink } from './nav-link.tsx';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

interface Props {
  workspaceId: string;
  name: string;
  /** For the drawer, which has a heading of its own. */
  bare?: boolean;
}

export function Sidebar({ workspaceId, name, bare }: Props) {
  return (
    <div className="flex h-full flex-col">
      {!bare && <Heading name={name} />}
      <PaletteButton />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <NavItems workspaceId={workspaceId} />
        <ConversationList workspaceId={workspaceId} />
      </div>
      <WaysOut />
    </div>
  );
}

function Heading({ name }: Pick<Props, 'name'>) {
  const { t } = useTranslation();
  return (
    <Link
      to="/"
      className="flex items-center gap-2 px-4 pt-4 pb-3 text-base font-semibold"
      title={t('shell.toWorkspaces')}
    >
      <span className="truncate">{name || '…'}</span>
      <span className="ml-auto text-muted">
        <Icon name="down" size={16} />
      </span>
    </Link>
  );
}

function PaletteButton() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      onClick={openPalette}
      className="mx-2 mb-2 flex min-h-9 items-center gap-2.5 rounded-md border border-line bg-surface px-2.5 text-sm text-muted hover:bg-sunken"
    >
      <Icon name="search" size={16} />
      {t('shell.palette')}
      <kbd className="ml-auto font-sans text-xs">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
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
          {item.icon === 'agent' && waiting > 0 && (
            <span className="ml-auto rounded-full bg-warn-soft px-2 text-xs text-warn">
              {t('shell.waitingCount', { count: waiting })}
            </span>
          )}
        </NavLink>
      ))}
      {NAV_GROUPS.map((group) => (
        <NavGroup key={group.name} group={group} workspaceId={workspaceId} />
      ))}
    </nav>
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
