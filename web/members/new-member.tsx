import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ROLES, type Role } from '../../lib/api-contract/roles.ts';
import { Button } from '../parts/button.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { withMember } from './member-list.ts';
import { useChangeMembers } from './queries.ts';

const KINDS = ['subject', 'group'] as const;
type Kind = (typeof KINDS)[number];
const EMPTY = { name: '', kind: 'subject' as Kind, role: 'member' as Role };

export function NewMember({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const members = useChangeMembers(workspaceId);
  const { draft, change } = useFormDraft(`new member ${workspaceId}`, EMPTY);
  const { name, kind, role } = draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const member = kind === 'subject' ? { subject: name, role } : { group: name, role };
    members.mutate((before) => withMember(before, member), { onSuccess: () => change({ name: '' }) });
  };
  return (
    <form onSubmit={submit} className="mt-4 space-y-3 border-t border-line pt-4">
      <div className="grid gap-3 sm:grid-cols-[11rem_1fr_9rem]">
        <SelectField
          label={t('members.kind')}
          value={kind}
          options={KINDS.map((each) => [each, t(`members.kinds.${each}`)])}
          onChange={(value) => change({ kind: value as Kind })}
        />
        <Field
          label={t('members.name')}
          hint={t(kind === 'subject' ? 'members.subjectHint' : 'members.groupHint')}
          required
          maxLength={256}
          autoComplete="off"
          value={name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <SelectField
          label={t('members.role')}
          value={role}
          options={ROLES.map((each) => [each, t(`members.roles.${each}`)])}
          onChange={(value) => change({ role: value as Role })}
        />
      </div>
      <p className="text-xs text-muted">{t(`members.may.${role}`)}</p>
      {members.error && <Problem error={members.error} />}
      <Button look="main" icon="plus" type="submit" disabled={name === '' || members.isPending}>
        {t('parts.add')}
      </Button>
    </form>
  );
}
