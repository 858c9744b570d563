import { useTranslation } from 'react-i18next';
import type { Role } from '../access/role.ts';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { withMember } from './member-list.ts';
import { useChangeMembers } from './queries.ts';
import { ROLES } from './roles.ts';

const KINDS = ['subject', 'group'] as const;
type Kind = (typeof KINDS)[number];
const EMPTY = { name: '', kind: 'subject' as Kind, role: 'member' as Role };

export function NewMember({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const members = useChangeMembers(workspaceId);
  const { draft, change, field } = useFormDraft(`new member ${workspaceId}`, EMPTY);
  const { name, kind, role } = draft;
  const submit = () => {
    const member = kind === 'subject' ? { subject: name, role } : { group: name, role };
    members.mutate((before) => withMember(before, member), { onSuccess: () => change({ name: '' }) });
  };
  return (
    <Form
      onSend={submit}
      sending={members}
      isWhole={name !== ''}
      action={t('parts.add')}
      icon="plus"
      className="mt-4 space-y-3 border-t border-line pt-4"
    >
      <div className="grid gap-3 sm:grid-cols-[11rem_1fr_9rem]">
        <SelectField
          label={t('members.kind')}
          options={KINDS.map((each) => [each, t(`members.kinds.${each}`)])}
          {...field('kind')}
        />
        <Field
          label={t('members.name')}
          hint={t(kind === 'subject' ? 'members.subjectHint' : 'members.groupHint')}
          required
          maxLength={256}
          autoComplete="off"
          {...field('name')}
        />
        <SelectField
          label={t('members.role')}
          options={ROLES.map((each) => [each, t(`members.roles.${each}`)])}
          {...field('role')}
        />
      </div>
      <p className="text-xs text-muted">{t(`members.may.${role}`)}</p>
    </Form>
  );
}
