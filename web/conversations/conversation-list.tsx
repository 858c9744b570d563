import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type KeyboardEvent, lazy, Suspense, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportName } from '../../lib/api-contract/export-name.ts';
import { useIsAdminOfAll, useMe } from '../access/role.ts';
import { useWaitingRuns } from '../agent/queries.ts';
import { KIND_SIGNS } from '../agent/run-kind.ts';
import { callApi } from '../api/client.ts';
import { withCatalog } from '../languages/languages.ts';
import { Skeletons } from '../parts/empty-state.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { pressedKey } from '../parts/pressed-key.ts';
import { saveFile } from '../parts/save-file.ts';
import { SearchBox } from '../parts/search-box.tsx';
import { useHealth } from '../settings/queries.ts';
import { DeleteConversation, RenameConversation } from './conversation-dialogs.tsx';
import { groupByDay } from './day-groups.ts';
import { type Conversation, useChangeConversation, useConversations } from './queries.ts';
import { useUnread } from './use-unread.ts';

const fetchSharing = withCatalog(() => import('./share-conversation.tsx'));
const ShareConversation = lazy(() =>
  fetchSharing().then((module) => ({ default: module.ShareConversation })),
);

/** The workspace's conversations, pinned ones first, then by day. Each opens on the page of its kind. */
export function ConversationList({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const conversations = useConversations(workspaceId, words);
  const listed = conversations.data ?? [];
  const me = useMe().data?.id;
  const own = useMemo(
    () => conversations.data?.filter(({ ownerId }) => ownerId === me),
    [conversations.data, me],
  );
  const unread = useUnread(workspaceId, words === '' ? own : undefined);
  const waiting = new Set(useWaitingRuns(workspaceId).map(({ conversationId }) => conversationId));
  const noAi = useHealth().data?.aiAvailable === false;
  return (
    <section aria-label={t('conversations.title')} className="mt-4 flex min-h-60 flex-1 flex-col">
      <div className="flex items-center gap-1 px-2 pb-2">
        <SearchBox label={t('conversations.search')} value={words} onChange={setWords} />
        <Link
          to="/w/$workspaceId/chat"
          params={{ workspaceId }}
          aria-label={t('conversations.new')}
          title={t('conversations.new')}
          className="inline-flex size-9 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
        >
          <Icon name="plus" />
        </Link>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {conversations.isPending && <Skeletons rows={4} className="h-8" />}
        {conversations.isSuccess && listed.length === 0 && (
          <p className="px-2.5 py-3 text-sm text-muted">
            {t(
              words !== ''
                ? 'conversations.noneFound'
                : noAi
                  ? 'conversations.noneNoModel'
                  : 'conversations.none',
            )}
          </p>
        )}
        <DayGroups conversations={listed} unread={unread} waiting={waiting} />
      </div>
    </section>
  );
}

type DialogName = keyof typeof DIALOGS;

/** Dialogs outside the rows, because rows move when a conversation changes. */
const DIALOGS = { rename: RenameConversation, share: ShareConversation, delete: Deleting };

interface GroupsProps {
  conversations: Conversation[];
  /** IDs of unread conversations. */
  unread: ReadonlySet<string>;
  /** IDs of conversations whose run waits for a person. */
  waiting: ReadonlySet<string | null>;
}

/** Conversations by day. */
function DayGroups({ conversations, unread, waiting }: GroupsProps) {
  const { t } = useTranslation();
  const hint = useId();
  const { conversationId } = useParams({ strict: false });
  const [reached, setReached] = useState<string>();
  const [dialog, setDialog] = useState<{ name: DialogName; conversation: Conversation }>();
  const Opened = dialog && DIALOGS[dialog.name];
  const ids = conversations.map(({ id }) => id);
  const stop = [reached, conversationId].find((id) => id !== undefined && ids.includes(id)) ?? ids[0];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the links in it
    <div onKeyDown={goToRow}>
      <p id={hint} hidden>
        {t('conversations.arrows')}
      </p>
      {groupByDay(conversations, new Date()).map(({ name, items }) => (
        <div key={name}>
          <h2 className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
            {t(`conversations.days.${name}`)}
          </h2>
          <ul className="space-y-0.5">
            {items.map((conversation) => (
              <ConversationRow
                key={conversation.id}
                conversation={conversation}
                isStop={conversation.id === stop}
                isUnread={unread.has(conversation.id)}
                isWaiting={waiting.has(conversation.id)}
                hint={hint}
                onReach={setReached}
                onDialog={(dialogName) => setDialog({ name: dialogName, conversation })}
              />
            ))}
          </ul>
        </div>
      ))}
      {Opened && (
        <Suspense>
          <Opened
            conversation={
              conversations.find(({ id }) => id === dialog.conversation.id) ?? dialog.conversation
            }
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
};

function goToRow(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-row]')];
  const at = rows.indexOf(event.target as HTMLElement);
  const step = STEPS[pressedKey(event)];
  if (at < 0 || step === undefined) return;
  event.preventDefault();
  rows[step(at, rows.length - 1)]?.focus();
}

/**
 * Returns whether the conversation is the caller's. Others can only read it. A bot's belongs to its
 * administrators.
 */
function useIsMine({ ownerId, kind }: Conversation): boolean {
  const me = useMe();
  const isAdmin = useIsAdminOfAll();
  return kind === 'bot' ? isAdmin : me.data?.id === ownerId;
}

interface RowProps {
  conversation: Conversation;
  /** True if Tab reaches the row. */
  isStop: boolean;
  isUnread: boolean;
  isWaiting: boolean;
  /** The ID of the hint about the arrow keys. */
  hint: string;
  onReach: (id: string) => void;
  onDialog: (dialog: DialogName) => void;
}

function ConversationRow({ conversation, isStop, isUnread, isWaiting, hint, onReach, onDialog }: RowProps) {
  const { t } = useTranslation();
  const { id, workspaceId, title, kind, pinned, shared, answering, failed, ownerId, ownerName } =
    conversation;
  const isMine = useIsMine(conversation);
  return (
    <li className="group relative flex items-center rounded-md hover:bg-sunken has-data-[status=active]:bg-accent-soft">
      <Link
        to="/w/$workspaceId/chat/$conversationId"
        params={{ workspaceId, conversationId: id }}
        activeOptions={{ includeSearch: false }}
        data-row
        tabIndex={isStop ? 0 : -1}
        aria-describedby={hint}
        onFocus={() => onReach(id)}
        className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-md py-1.5 pl-2.5 text-sm data-[status=active]:font-medium data-[status=active]:text-accent"
      >
        <Mark icon={KIND_SIGNS[kind]} label={t(`conversations.kinds.${kind}`)} />
        {isWaiting && <Mark icon="hand" label={t('conversations.waiting')} look="text-warn" />}
        {failed && <Mark icon="warn" label={t('conversations.failed')} look="text-danger" />}
        {answering && <Dot look="animate-pulse bg-warn" label={t('conversations.answering')} />}
        {isUnread && <Dot look="bg-accent" label={t('conversations.unread')} />}
        {pinned && <Mark icon="pin" label={t('conversations.pinned')} />}
        <span data-user-content className={`min-w-0 flex-1 truncate ${isUnread ? 'font-semibold' : ''}`}>
          {title || t('conversations.untitled')}
        </span>
        {shared && (
          <Mark
            icon="share"
            label={
              isMine ? t('conversations.shared') : t('conversations.sharedBy', { who: ownerName ?? ownerId })
            }
          />
        )}
        {kind !== 'chat' && (
          <span aria-hidden="true" className="shrink-0 text-xs font-normal text-muted">
            {t(`conversations.kinds.${kind}`)}
          </span>
        )}
      </Link>
      <ConversationMenu conversation={conversation} isStop={isStop} onDialog={onDialog} />
    </li>
  );
}

/** A dot for an answer that is being written, or is unread. */
function Dot({ look, label }: { look: string; label: string }) {
  return (
    <span role="img" aria-label={label} title={label} className={`size-2 shrink-0 rounded-full ${look}`} />
  );
}

interface MarkProps {
  icon: IconName;
  label: string;
  look?: string;
}

function Mark({ icon, label, look = 'text-muted' }: MarkProps) {
  return (
    <span role="img" aria-label={label} title={label} className={`shrink-0 ${look}`}>
      <Icon name={icon} size={14} />
    </span>
  );
}

type MenuProps = Pick<RowProps, 'conversation' | 'isStop' | 'onDialog'>;

function ConversationMenu({ conversation, isStop, onDialog }: MenuProps) {
  const { t } = useTranslation();
  const change = useChangeConversation();
  const { id, title, pinned, shared } = conversation;
  const isMine = useIsMine(conversation);
  const save = {
    icon: 'download' as const,
    label: t('conversations.export'),
    onSelect: () => void exportConversation(conversation),
  };
  const button = { label: t('conversations.menuOf', { title }), tabIndex: isStop ? 0 : -1 };
  if (!isMine) return <Menu {...button} items={[save]} />;
  return (
    <Menu
      {...button}
      items={[
        { icon: 'edit', label: t('conversations.rename'), onSelect: () => onDialog('rename') },
        {
          icon: 'pin',
          label: t(pinned ? 'conversations.unpin' : 'conversations.pin'),
          onSelect: () => change.mutate({ id, pinned: !pinned }),
        },
        {
          icon: 'share',
          label: t(shared ? 'conversations.sharing' : 'conversations.share'),
          onSelect: () => onDialog('share'),
        },
        save,
        { icon: 'trash', label: t('conversations.delete'), danger: true, onSelect: () => onDialog('delete') },
      ]}
    />
  );
}

/** Deletes a conversation, and opens a new one if the deleted one is open. */
function Deleting({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const navigate = useNavigate();
  const { conversationId } = useParams({ strict: false });
  const leave = () => {
    onClose();
    if (conversationId !== conversation.id) return;
    void navigate({ to: '/w/$workspaceId/chat', params: { workspaceId: conversation.workspaceId } });
  };
  return <DeleteConversation conversation={conversation} onClose={onClose} onDeleted={leave} />;
}

async function exportConversation({ id, title }: Conversation): Promise<void> {
  const response = await callApi(`/api/conversations/${encodeURIComponent(id)}/export`);
  saveFile(await response.blob(), exportName(title, 'md', 'conversation'));
}
