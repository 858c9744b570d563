import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MEMBER_ROLES, type MemberRole } from '../../lib/api-contract/roles.ts';
import { useMay, useMe } from '../access/role.ts';
import { Badge } from '../parts/badge.tsx';
import { IconButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { SelectField } from '../parts/field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { hintOf } from '../people/find-person.ts';
import { useIsNeverSeen, useNames } from '../people/names.ts';
import { PageHead } from '../shell/page-head.tsx';
import { type Member, nameOf, withMember, withoutMember } from './member-list.ts';
import { NewMember } from './new-member.tsx';
import { useChangeMembers, useMembers } from './queries.ts';

export function MembersView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const members = useMembers(workspaceId);
  const may = useMay('admin', workspaceId);
  return (
    <Page isWide>
      <PageHead title={t('members.title')} note={t('members.note')} />
      <Loaded query={members} rowClass="h-12">
        {({ data }) => (
          <Card title={t('members.title')}>
            {data.length === 0 && (
              <EmptyState icon="people" title={t('members.open')} next={t('members.openNext')} />
            )}
            <MemberList workspaceId={workspaceId} members={data} mayChange={may} />
            <p className="mt-3 text-xs text-muted">{t('members.atMost')}</p>
            {may && <NewMember workspaceId={workspaceId} isFirst={data.length === 0} />}
          </Card>
        )}
      </Loaded>
    </Page>
  );
}

interface ListProps {
  workspaceId: string;
  members: Member[];
  mayChange: boolean;
}

function MemberList({ workspaceId, members, mayChange }: ListProps) {
  const { t } = useTranslation();
  const change = useChangeMembers(workspaceId);
  const describe = useDescribed(workspaceId, members);
  const [leaving, setLeaving] = useState<Member>();
  const close = () => setLeaving(undefined);
  return (
    <>
      {change.error && !leaving && <Problem error={change.error} />}
      <ul aria-label={t('members.title')} className="divide-y divide-line">
        {members.map((member) => (
          <MemberRow
            key={JSON.stringify([member.subject, member.group])}
            member={member}
            described={describe(member)}
            mayChange={mayChange}
            onRole={(role) => change.mutate((now) => withMember(now, { ...member, role }))}
            onRemove={() => setLeaving(member)}
          />
        ))}
      </ul>
      {leaving && (
        <ConfirmDialog
          title={t('members.removeTitle', { name: describe(leaving).name })}
          note={
            members.length === 1
              ? `${t('members.removeNote')} ${t('members.lastNote')}`
              : t('members.removeNote')
          }
          action={t('parts.remove')}
          doing={change}
          onConfirm={() => change.mutate((now) => withoutMember(now, leaving), { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}

interface Described {
  name: string;
  /** Set if another entry has the same name, to distinguish the two. */
  hint: string | undefined;
  isNeverSeen: boolean;
}

function useDescribed(workspaceId: string, members: Member[]): (member: Member) => Described {
  const names = useNames();
  const isNeverSeen = useIsNeverSeen(workspaceId);
  const nameIn = (member: Member) => member.name ?? names.get(member.subject ?? '') ?? nameOf(member);
  const named = Map.groupBy(members, nameIn);
  return (member) => {
    const { subject } = member;
    const name = nameIn(member);
    const isAmbiguous = (named.get(name)?.length ?? 0) > 1;
    return {
      name,
      hint: subject !== undefined && isAmbiguous ? hintOf({ id: subject, name, email: null }) : undefined,
      isNeverSeen: subject !== undefined && subject !== 'local' && isNeverSeen(subject),
    };
  };
}

interface RowProps {
  member: Member;
  described: Described;
  mayChange: boolean;
  onRole: (role: MemberRole) => void;
  onRemove: () => void;
}

function MemberRow({ member, described, mayChange, onRole, onRemove }: RowProps) {
  const { t } = useTranslation();
  const me = useMe().data?.id;
  const { name, hint, isNeverSeen } = described;
  const kind = member.subject === undefined ? 'group' : 'subject';
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5 text-sm">
      <span className="min-w-0 flex-1 basis-48">
        <span data-user-content title={member.subject} className="font-medium break-all">
          {name}
        </span>
        <span className="block text-xs text-muted">
          {t(`members.kinds.${kind}`)}
          {member.subject !== undefined && member.subject === me && ` · ${t('members.you')}`}
          {hint && (
            <>
              {' · '}
              <span data-user-content>{hint}</span>
            </>
          )}
          {isNeverSeen && <span className="text-warn"> · {t('people.neverSeen')}</span>}
        </span>
      </span>
      {mayChange ? (
        <>
          <div className="w-36">
            <SelectField
              isBare
              label={t('members.roleOf', { name })}
              value={member.role}
              options={MEMBER_ROLES.map((role) => [role, t(`members.roles.${role}`)])}
              onChange={(role) => onRole(role as MemberRole)}
            />
          </div>
          <IconButton icon="trash" label={t('members.removeOf', { name })} onClick={onRemove} />
        </>
      ) : (
        <Badge>{t(`members.roles.${member.role}`)}</Badge>
      )}
    </li>
  );
}
