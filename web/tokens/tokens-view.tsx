import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll, useMe } from '../access/role.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatAgo, formatTime } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Row } from '../parts/rows.tsx';
import { OwnedDialog } from '../people/owned-dialog.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { useWorkspaces } from '../workspaces/queries.ts';
import { EditTokenDialog, RotateTokenDialog } from './change-token-dialogs.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { type Token, useRevokeToken, useTokens } from './queries.ts';
import { stateOf } from './token-state.ts';
import { UsersCard } from './users-card.tsx';

export function TokensView() {
  const { t } = useTranslation();
  const tokens = useTokens();
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <PageHead
        title={t('tokens.title')}
        note={t('tokens.note')}
        actions={
          tokens.isSuccess && (
            <Button look="main" icon="plus" onClick={() => setMaking(true)}>
              {t('tokens.new')}
            </Button>
          )
        }
      />
      <LoadedRows
        query={tokens}
        rowClass="h-16"
        label={t('tokens.title')}
        empty={<EmptyState icon="key" title={t('tokens.none')} next={t('tokens.noneNext')} />}
      >
        {(token) => <TokenRow key={token.id} token={token} />}
      </LoadedRows>
      <MoreButton list={tokens} />
      <UsersCard />
      {isMaking && <NewTokenDialog onClose={() => setMaking(false)} />}
    </>
  );
}

const STATES = { valid: 'good', expired: 'calm', revoked: 'calm' } as const;

function TokenRow({ token }: { token: Token }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdminOfAll();
  const isOwn = useMe().data?.id === token.id;
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'revoke' | 'owned'>();
  const close = () => setDialog(undefined);
  const revoked = () => setDialog(isAdmin ? 'owned' : undefined);
  const state = stateOf(token);
  return (
    <Row isStill>
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          <span className="min-w-0 break-words">{token.name}</span>
          <Badge>{t(`members.roles.${token.role}`)}</Badge>
          <Badge look={STATES[state]}>{t(`tokens.states.${state}`)}</Badge>
        </p>
        <TokenFacts token={token} />
      </div>
      <div className="flex flex-wrap gap-2">
        {isAdmin && <Button onClick={() => setDialog('owned')}>{t('tokens.owned')}</Button>}
        {state === 'valid' && <Button onClick={() => setDialog('edit')}>{t('tokens.edit')}</Button>}
        {state !== 'revoked' && (isAdmin || isOwn) && (
          <Button onClick={() => setDialog('rotate')}>{t('tokens.rotate')}</Button>
        )}
        {state === 'valid' && (
          <Button look="danger" onClick={() => setDialog('revoke')}>
            {t('tokens.revoke')}
          </Button>
        )}
      </div>
      {dialog === 'edit' && <EditTokenDialog token={token} isOwn={isOwn} onClose={close} />}
      {dialog === 'rotate' && <RotateTokenDialog token={token} onClose={close} />}
      {dialog === 'revoke' && <RevokeDialog token={token} onClose={close} onRevoked={revoked} />}
      {dialog === 'owned' && (
        <OwnedDialog
          person={{ id: token.id, name: token.name }}
          isActive={state === 'valid'}
          onClose={close}
        />
      )}
    </Row>
  );
}

function TokenFacts({ token }: { token: Token }) {
  const { t, i18n } = useTranslation();
  const names = new Map(useWorkspaces().data?.map(({ id, name }) => [id, name]));
  const ago = (time: string) => formatAgo(time, i18n.language);
  const facts = [
    token.workspaceIds === null
      ? t('tokens.everywhere')
      : t('tokens.only', { names: token.workspaceIds.map((id) => names.get(id) ?? id).join(', ') }),
    token.lastUsedAt ? t('tokens.used', { ago: ago(token.lastUsedAt) }) : t('tokens.unused'),
    token.expiresAt
      ? t('tokens.ends', { time: formatTime(token.expiresAt, i18n.language) })
      : t('tokens.endless'),
    t('tokens.made', { ago: ago(token.createdAt) }),
    token.rotatedAt && t('tokens.rotated', { ago: ago(token.rotatedAt) }),
  ];
  return (
    <>
      <p className="mt-0.5 text-xs break-words text-muted">{facts.filter(Boolean).join(' · ')}</p>
      <p className="font-mono text-xs break-all text-muted">{token.id}</p>
    </>
  );
}

interface RevokeProps {
  token: Token;
  onClose: () => void;
  onRevoked: () => void;
}

/** Links to the person's tasks and other property, because someone else must take them over. */
function RevokeDialog({ token, onClose, onRevoked }: RevokeProps) {
  const { t } = useTranslation();
  const revoke = useRevokeToken();
  return (
    <ConfirmDialog
      title={t('tokens.revokeTitle', { name: token.name })}
      note={t('tokens.revokeNote')}
      action={t('tokens.revoke')}
      doing={revoke}
      onConfirm={() => revoke.mutate(token.id, { onSuccess: onRevoked })}
      onClose={onClose}
    />
  );
}
