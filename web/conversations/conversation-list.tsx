import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll, useMe } from '../access/role.ts';
import { callApi } from '../api/client.ts';
import { Skeletons } from '../parts/empty-state.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { saveFile } from '../parts/save-file.ts';
import { SearchBox } from '../parts/search-box.tsx';
import { DeleteConversation, RenameConversation } from './conversation-dialogs.tsx';
import { type Conversation, useChangeConversation, useConversations } from './queries.ts';

/** Conversations of the workspace, the pinned ones first: each opens on the page of its kind. */
export function ConversationList({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const conversations = useConversations(workspaceId, words);
  const listed = conversations.data ?? [];
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
            {t(words === '' ? 'conversations.none' : 'conversations.noneFound')}
          </p>
        )}
        <ul className="space-y-0.5">
          {listed.map((conversation) => (
            <ConversationRow key={conversation.id} conversation={conversation} />
          ))}
        </ul>
      </div>
    </section>
  );
}

export const KIND_SIGNS: Record<Conversation['kind'], IconName> = {
  ...{ chat: 'chat', agent: 'agent', bot: 'bot', research: 'report' },
};

/** Others can read it but not write; a bot's belongs to its administrators. */
function useIsMine({ ownerId, kind }: Conversation): boolean {
  const me = useMe();
  const isAdmin = useIsAdminOfAll();
  return kind === 'bot' ? isAdmin : me.data?.id === ownerId;
}

function ConversationRow({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const { id, workspaceId, title, kind, pinned, shared, ownerId } = conversation;
  const isMine = useIsMine(conversation);
  const close = () => setDialog(undefined);
  return (
    <li className="group relative flex items-center rounded-md hover:bg-sunken has-data-[status=active]:bg-accent-soft">
      <Link
        to="/w/$workspaceId/chat/$conversationId"
        params={{ workspaceId, conversationId: id }}
        activeOptions={{ includeSearch: false }}
        className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-md py-1.5 pl-2.5 text-sm data-[status=active]:font-medium data-[status=active]:text-accent"
      >
        <Mark icon={KIND_SIGNS[kind]} label={t(`conversations.kinds.${kind}`)} />
        {pinned && <Mark icon="pin" label={t('conversations.pinned')} />}
        <span data-user-content className="truncate">
          {title || t('conversations.untitled')}
        </span>
        {shared && (
          <Mark
            icon="share"
            label={isMine ? t('conversations.shared') : t('conversations.sharedBy', { who: ownerId })}
          />
        )}
      </Link>
      <ConversationMenu conversation={conversation} onDialog={setDialog} />
      {dialog === 'rename' && <RenameConversation conversation={conversation} onClose={close} />}
      {dialog === 'delete' && <Deleting conversation={conversation} onClose={close} />}
    </li>
  );
}

function Mark({ icon, label }: { icon: IconName; label: string }) {
  return (
    <span role="img" aria-label={label} title={label} className="shrink-0 text-muted">
      <Icon name={icon} size={14} />
    </span>
  );
}

interface MenuProps {
  conversation: Conversation;
  onDialog: (dialog: 'rename' | 'delete') => void;
}

function ConversationMenu({ conversation, onDialog }: MenuProps) {
  const { t } = useTranslation();
  const change = useChangeConversation();
  const { id, title, pinned, shared } = conversation;
  const isMine = useIsMine(conversation);
  const save = {
    icon: 'download' as const,
    label: t('conversations.export'),
    onSelect: () => void exportConversation(id),
  };
  if (!isMine) return <Menu label={t('conversations.menuOf', { title })} items={[save]} />;
  return (
    <Menu
      label={t('conversations.menuOf', { title })}
      items={[
        { icon: 'edit', label: t('conversations.rename'), onSelect: () => onDialog('rename') },
        {
          icon: 'pin',
          label: t(pinned ? 'conversations.unpin' : 'conversations.pin'),
          onSelect: () => change.mutate({ id, pinned: !pinned }),
        },
        {
          icon: 'share',
          label: t(shared ? 'conversations.unshare' : 'conversations.share'),
          onSelect: () => change.mutate({ id, shared: !shared }),
        },
        save,
        { icon: 'trash', label: t('conversations.delete'), danger: true, onSelect: () => onDialog('delete') },
      ]}
    />
  );
}

/** Leads to a new conversation when the open one is deleted. */
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

async function exportConversation(id: string): Promise<void> {
  const response = await callApi(`/api/conversations/${encodeURIComponent(id)}/export`);
  saveFile(await response.blob(), 'conversation.md');
}
