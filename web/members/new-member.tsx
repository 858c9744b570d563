import { useTranslation } from 'react-i18next';
import { MEMBER_ROLES, type MemberRole } from '../../lib/api-contract/roles.ts';
import { Banner } from '../parts/banner.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { hintOf, labelOf, losing } from '../people/find-person.ts';
import { NOBODY, PersonField, usePersonId } from '../people/person-field.tsx';
import { usePeople } from '../people/queries.ts';
import { withMember } from './member-list.ts';
import { useChangeMembers } from './queries.ts';

const KINDS = ['subject', 'group'] as const;
type Kind = (typeof KINDS)[number];
const EMPTY = { name: '', person: NOBODY, kind: 'subject' as Kind, role: 'member' as MemberRole };

interface Props {
  workspaceId: string;
  /** True if there is no list yet, so that the first entry removes everyone else's access. */
  isFirst: boolean;
}

export function NewMember({ workspaceId, isFirst }: Props) {
  const { t } = useTranslation();
  const members = useChangeMembers(workspaceId);
  const { draft, change, field } = useFormDraft(`new member ${workspaceId}`, EMPTY);
  const { name, person, kind, role } = draft;
  const id = usePersonId(person, workspaceId);
  const member = kind === 'group' ? { group: name } : { subject: id ?? '' };
  const isNamed = (member.group ?? member.subject) !== '';
  const submit = () =>
    members.mutate((before) => withMember(before, { ...member, role }), {
      onSuccess: () => change({ name: '', person: NOBODY }),
    });
  return (
    <Form
      onSend={submit}
      sending={members}
      isWhole={isNamed}
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
        {kind === 'subject' ? (
          <PersonField
            label={t('members.name')}
            hint={t('members.subjectHint')}
            required
            maxLength={256}
            workspaceId={workspaceId}
            value={person}
            onChange={(next) => change({ person: next })}
          />
        ) : (
          <Field
            label={t('members.name')}
            hint={t('members.groupHint')}
            required
            maxLength={256}
            autoComplete="off"
            {...field('name')}
          />
        )}
        <SelectField
          label={t('members.role')}
          options={MEMBER_ROLES.map((each) => [each, t(`members.roles.${each}`)])}
          {...field('role')}
        />
      </div>
      <p className="text-xs text-muted">{t(`members.may.${role}`)}</p>
      {isFirst && isNamed && <Losing workspaceId={workspaceId} first={member} />}
    </Form>
  );
}

const MOST_NAMED = 10;

/** Names the people who lose access, before the first member is added. */
function Losing({
  workspaceId,
  first,
}: {
  workspaceId: string;
  first: { subject?: string; group?: string };
}) {
  const { t } = useTranslation();
  const known = usePeople(workspaceId);
  if (known === undefined) return null;
  const lost = losing(known.people, first);
  const some = lost.slice(0, MOST_NAMED).map((person) => {
    const isAmbiguous = lost.filter((each) => labelOf(each) === labelOf(person)).length > 1;
    return isAmbiguous ? `${labelOf(person)} (${hintOf(person)})` : labelOf(person);
  });
  const names = [...some, ...(lost.length > some.length ? ['…'] : [])].join(', ');
  return (
    <div role="status">
      <Banner look="warn">
        {t(`people.${sentenceOf(first, lost.length, known.isWhole)}`, { count: lost.length, names })}
      </Banner>
    </div>
  );
}

function sentenceOf({ group }: { group?: string }, count: number, isWhole: boolean) {
  if (group !== undefined) return isWhole && count > 0 ? 'loseOutside' : 'loseOutsideOthers';
  if (isWhole) return count > 0 ? 'lose' : 'loseNobody';
  return count > 0 ? 'loseOthers' : 'loseAll';
}
