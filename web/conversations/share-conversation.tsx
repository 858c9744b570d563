import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMembers } from '../members/queries.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { type Conversation, useChangeConversation } from './queries.ts';

interface Props {
  conversation: Conversation;
  onClose: () => void;
}

/** Shows who can read a conversation, before and while it's shared. */
export function ShareConversation({ conversation, onClose }: Props) {
  const { t } = useTranslation();
  const { id, title, shared } = conversation;
  const change = useChangeConversation();
  const name = title || t('conversations.untitled');
  return (
    <Dialog title={t(shared ? 'sharing.titleShared' : 'sharing.title', { title: name })} onClose={onClose}>
      <div className="space-y-4 text-sm">
        <Readers conversation={conversation} onLeave={onClose} />
        <p className="text-muted">{t('sharing.later')}</p>
        <LinkToIt conversation={conversation} />
        <p role="status" className="empty:hidden text-good">
          {change.isSuccess && t(shared ? 'sharing.done' : 'sharing.undone')}
        </p>
        <Problem error={change.error} />
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t(shared || change.isSuccess ? 'parts.close' : 'parts.cancel')}</Button>
        <Button
          look={shared ? 'danger' : 'main'}
          disabled={change.isPending}
          onClick={() => change.mutate({ id, shared: !shared })}
        >
          {t(shared ? 'conversations.unshare' : 'conversations.share')}
        </Button>
      </div>
    </Dialog>
  );
}

interface ReadersProps extends Pick<Props, 'conversation'> {
  onLeave: () => void;
}

/**
 * The readers of a shared conversation. Without a member list, a workspace is open to everyone who can use the service.
 */
function Readers({ conversation: { workspaceId, shared }, onLeave }: ReadersProps) {
  const { t } = useTranslation();
  const members = useMembers(workspaceId);
  if (members.isPending) return <Skeletons rows={1} className="h-5" />;
  if (members.data === undefined) return <Problem error={members.error} onRetry={() => members.refetch()} />;
  const list = members.data.data;
  const groups = list.filter(({ group }) => group !== undefined).length;
  const people = list.length - groups;
  return (
    <div>
      <p>{t(shared ? 'sharing.canRead' : 'sharing.willRead')}</p>
      <ul className="mt-1 list-disc pl-5">
        {list.length === 0 && <li>{t('sharing.everyone')}</li>}
        {people > 0 && <li>{t('sharing.people', { count: people })}</li>}
        {groups > 0 && <li>{t('sharing.groups', { count: groups })}</li>}
        {list.length > 0 && <li>{t('sharing.admins')}</li>}
      </ul>
      <Link
        to="/w/$workspaceId/members"
        params={{ workspaceId }}
        onClick={onLeave}
        className="text-accent underline"
      >
        {t('sharing.members')}
      </Link>
    </div>
  );
}

function LinkToIt({ conversation: { id, workspaceId } }: Pick<Props, 'conversation'>) {
  const { t } = useTranslation();
  const url = `${location.origin}/w/${workspaceId}/chat/${encodeURIComponent(id)}`;
  return (
    <div className="flex items-center gap-2">
      <input
        readOnly
        aria-label={t('sharing.link')}
        value={url}
        onFocus={({ target }) => target.select()}
        className="min-h-10 min-w-0 flex-1 rounded-md border border-line bg-sunken px-3 text-sm"
      />
      <CopyButton text={url} />
    </div>
  );
}
