import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Role } from '../access/role.ts';
import { useDraft } from '../chat/draft.ts';
import { Button } from '../parts/button.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { withMember } from './member-list.ts';
import { useChangeMembers } from './queries.ts';
import { ROLES } from './roles.ts';

const KINDS = ['subject', 'group'] as const;
type Kind = (typeof KINDS)[number];

export function NewMember({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const change = useChangeMembers(workspaceId);
  const [name, setName] = useDraft(`member ${workspaceId}`);
  const [kind, setKind] = useState<Kind>('subject');
  const [role, setRole] = useState<Role>('member');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const member = kind === 'subject' ? { subject: name, role } : { group: name, role };
    change.mutate((members) => withMember(members, member), { onSuccess: () => setName('') });
  };
  return (
    <form onSubmit={submit} className="mt-4 space-y-3 border-t border-line pt-4">
      <div className="grid gap-3 sm:grid-cols-[11rem_1fr_9rem]">
        <SelectField
          label={t('members.kind')}
          value={kind}
          options={KINDS.map((each) => [each, t(`members.kinds.${each}`)])}
          onChange={(value) => setKind(value as Kind)}
        />
        <Field
          label={t('members.name')}
          hint={t(kind === 'subject' ? 'members.subjectHint' : 'members.groupHint')}
          required
          maxLength={256}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label={t('members.role')}
          value={role}
          options={ROLES.map((each) => [each, t(`members.roles.${each}`)])}
          onChange={(value) => setRole(value as Role)}
        />
      </div>
      <p className="text-xs text-muted">{t(`members.may.${role}`)}</p>
      {change.error && <Problem error={change.error} />}
      <Button look="main" icon="plus" type="submit" disabled={name === '' || change.isPending}>
        {t('parts.add')}
      </Button>
    </form>
  );
}
