import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useWaitingRuns } from '../agent/queries.ts';
import { ConversationList } from '../conversations/conversation-list.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';

const ROOMS = [
  { to: '/w/$workspaceId/chat', icon: 'chat', name: 'shell.chat' },
  { to: '/w/$workspaceId/files', icon: 'files', name: 'shell.files' },
  { to: '/w/$workspaceId/agent', icon: 'agent', name: 'shell.agent' },
  { to: '/w/$workspaceId', icon: 'overview', name: 'shell.overview' },
] as const satisfies { to: string; icon: IconName; name: string }[];

const ITEM =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm hover:bg-sunken data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-accent';

interface Props {
  workspaceId: string;
  name: string;
  /** In the drawer, which has a heading of its own. */
  bare?: boolean;
}

export function Sidebar({ workspaceId, name, bare }: Props) {
  const { t } = useTranslation();
  const waiting = useWaitingRuns(workspaceId);
  return (
    <div className="flex h-full flex-col">
      {!bare && (
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
      )}
      <nav aria-label={t('shell.rooms')} className="space-y-0.5 px-2">
        {ROOMS.map(({ to, icon, name: room }) => (
          <Link
            key={to}
            to={to}
            params={{ workspaceId }}
            activeOptions={{ exact: to === '/w/$workspaceId', includeSearch: false }}
            className={ITEM}
          >
            <Icon name={icon} />
            {t(room)}
            {icon === 'agent' && waiting > 0 && (
              <span className="ml-auto rounded-full bg-warn-soft px-2 text-xs text-warn">
                {t('agent.waitingCount', { count: waiting })}
              </span>
            )}
          </Link>
        ))}
      </nav>
      <ConversationList workspaceId={workspaceId} />
      <nav aria-label={t('shell.service')} className="border-t border-line px-2 py-2">
        <Link
          to="/"
          className={`${ITEM} data-[status=active]:bg-transparent data-[status=active]:font-normal data-[status=active]:text-ink`}
        >
          <Icon name="back" />
          {t('shell.toWorkspaces')}
        </Link>
        <Link to="/settings" className={ITEM}>
          <Icon name="settings" />
          {t('shell.settings')}
        </Link>
      </nav>
    </div>
  );
}
