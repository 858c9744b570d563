import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ROLES, type Role } from '../../lib/api-contract/roles.ts';
import { useMe } from '../access/role.ts';
import { type FormDraft, useFormDraft } from '../parts/draft.ts';
import { CheckField, Field, SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { useWorkspaces } from '../workspaces/queries.ts';
import type { NewToken, Token } from './queries.ts';
import { endAfter } from './token-state.ts';

const ENDS = ['30', '90', '365', 'never'] as const;
/** The choice that keeps a token's expiration. */
export const KEEP = 'keep';

interface Props {
  title: string;
  action: string;
  /** Purpose of the draft. */
  purpose: string;
  /** The token to edit; missing for a new one. */
  present?: Token;
  note?: ReactNode;
  sending: { error: Error | null; isPending: boolean };
  /** `drop` discards the draft. */
  onSend: (fields: NewToken, drop: () => void) => void;
  onClose: () => void;
}

export function TokenForm({ title, action, purpose, present, note, sending, onSend, onClose }: Props) {
  const { t } = useTranslation();
  const bounds = useMe().data?.workspaceIds ?? null;
  const { draft, change, drop, field } = useFormDraft(purpose, {
    name: present?.name ?? '',
    role: present?.role ?? ('viewer' as Role),
    chosen: present === undefined ? bounds : present.workspaceIds,
    end: present === undefined ? '90' : KEEP,
  });
  const { name, role, chosen, end } = draft;
  const isMonitor = role === 'monitor';
  const submit = () => {
    const rights = { role, workspaceIds: isMonitor ? null : chosen };
    const expiresAt = end === KEEP ? (present?.expiresAt ?? null) : endAfter(end);
    onSend({ name: name.trim(), ...rights, expiresAt }, drop);
  };
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSend={submit}
      sending={sending}
      isWhole={name.trim() !== '' && (isMonitor || chosen?.length !== 0)}
      action={action}
    >
      {note}
      <Field
        label={t('tokens.name')}
        hint={t('tokens.nameHint')}
        required
        maxLength={200}
        {...field('name')}
      />
      <Rights role={role} isBound={bounds !== null} canKeep={present !== undefined} field={field} />
      {!isMonitor && (
        <Reach
          chosen={chosen}
          present={present?.workspaceIds ?? []}
          canReachAll={bounds === null}
          onChange={(next) => change({ chosen: next })}
        />
      )}
    </FormDialog>
  );
}

interface RightsProps {
  role: Role;
  /** Whether the caller is bound to workspaces, and so can't create monitors. */
  isBound: boolean;
  canKeep: boolean;
  field: FormDraft<{ role: Role; end: string }>['field'];
}

function Rights({ role, isBound, canKeep, field }: RightsProps) {
  const { t } = useTranslation();
  const roles = ROLES.filter((each) => !(isBound && each === 'monitor'));
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t('tokens.role')}
          options={roles.map((each) => [each, t(`members.roles.${each}`)])}
          {...field('role')}
        />
        <EndField canKeep={canKeep} {...field('end')} />
      </div>
      <p className="text-xs text-muted">{t(`members.may.${role}`)}</p>
    </>
  );
}

interface EndProps {
  /** True if a choice keeps the present expiration. */
  canKeep: boolean;
  value: string;
  onChange: (end: string) => void;
}

export function EndField({ canKeep, ...field }: EndProps) {
  const { t } = useTranslation();
  const ends = ENDS.map((days): [string, string] => [
    days,
    days === 'never' ? t('tokens.never') : t('tokens.days', { days }),
  ]);
  const keep: [string, string][] = canKeep ? [[KEEP, t('tokens.keepEnd')]] : [];
  return <SelectField label={t('tokens.end')} options={[...keep, ...ends]} {...field} />;
}

interface ReachProps {
  /** The selected workspaces; null means every workspace. */
  chosen: string[] | null;
  /** The workspaces of an existing token. */
  present: string[];
  canReachAll: boolean;
  onChange: (chosen: string[] | null) => void;
}

function Reach({ chosen, present, canReachAll, onChange }: ReachProps) {
  const { t } = useTranslation();
  const workspaces = useWorkspaces().data ?? [];
  const known = new Set(workspaces.map(({ id }) => id));
  // Deleted workspaces of an existing token, which the user can remove.
  const others = present.filter((id) => !known.has(id)).map((id) => ({ id, name: id }));
  const toggle = (id: string) =>
    onChange(chosen?.includes(id) ? chosen.filter((each) => each !== id) : [...(chosen ?? []), id]);
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{t('tokens.reach')}</legend>
      {canReachAll && (
        <CheckField
          label={t('tokens.everywhere')}
          checked={chosen === null}
          onChange={(isAll) => onChange(isAll ? null : [])}
        />
      )}
      {chosen !== null && (
        <div className="max-h-44 overflow-y-auto rounded-md border border-line px-3">
          {[...workspaces, ...others].map(({ id, name }) => (
            <CheckField key={id} label={name} checked={chosen.includes(id)} onChange={() => toggle(id)} />
          ))}
        </div>
      )}
    </fieldset>
  );
}
