import { useTranslation } from 'react-i18next';
import { ROLES, type Role } from '../../lib/api-contract/roles.ts';
import { useMe } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { type FormDraft, useFormDraft } from '../parts/draft.ts';
import { CheckField, Field, SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { useWorkspaces } from '../workspaces/queries.ts';
import { useCreateToken } from './queries.ts';
import { endAfter } from './token-state.ts';

export const ENDS = ['30', '90', '365', 'never'] as const;

/** Creates a token, and shows its secret once, while the dialog is open. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateToken();
  if (create.data)
    return <SecretDialog name={create.data.name} secret={create.data.secret} onClose={onClose} />;
  return <TokenForm create={create} onClose={onClose} />;
}

function TokenForm({ create, onClose }: { create: ReturnType<typeof useCreateToken>; onClose: () => void }) {
  const { t } = useTranslation();
  const bounds = useMe().data?.workspaceIds ?? null;
  const { draft, change, drop, field } = useFormDraft('token', {
    name: '',
    role: 'viewer' as Role,
    chosen: bounds,
    end: '90',
  });
  const { name, role, chosen, end } = draft;
  const isMonitor = role === 'monitor';
  const submit = () => {
    const token = {
      name: name.trim(),
      role,
      workspaceIds: isMonitor ? null : chosen,
      expiresAt: endAfter(end),
    };
    create.mutate(token, { onSuccess: drop });
  };
  return (
    <FormDialog
      title={t('tokens.new')}
      onClose={onClose}
      onSend={submit}
      sending={create}
      isWhole={name.trim() !== '' && (isMonitor || chosen?.length !== 0)}
      action={t('tokens.make')}
    >
      <Field
        label={t('tokens.name')}
        hint={t('tokens.nameHint')}
        required
        maxLength={200}
        {...field('name')}
      />
      <Rights role={role} isBound={bounds !== null} field={field} />
      {!isMonitor && (
        <Reach chosen={chosen} canReachAll={bounds === null} onChange={(next) => change({ chosen: next })} />
      )}
    </FormDialog>
  );
}

interface RightsProps {
  role: Role;
  /** Whether the caller is bound to workspaces, and so can't create monitors. */
  isBound: boolean;
  field: FormDraft<{ role: Role; end: string }>['field'];
}

function Rights({ role, isBound, field }: RightsProps) {
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
        <SelectField
          label={t('tokens.end')}
          options={ENDS.map((days) => [
            days,
            days === 'never' ? t('tokens.never') : t('tokens.days', { days }),
          ])}
          {...field('end')}
        />
      </div>
      <p className="text-xs text-muted">{t(`members.may.${role}`)}</p>
    </>
  );
}

interface ReachProps {
  /** The selected workspaces; null means every workspace. */
  chosen: string[] | null;
  canReachAll: boolean;
  onChange: (chosen: string[] | null) => void;
}

function Reach({ chosen, canReachAll, onChange }: ReachProps) {
  const { t } = useTranslation();
  const workspaces = useWorkspaces().data ?? [];
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
          {workspaces.map(({ id, name }) => (
            <CheckField key={id} label={name} checked={chosen.includes(id)} onChange={() => toggle(id)} />
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** Shows a secret once, while the dialog is open. */
export function SecretDialog({
  name,
  secret,
  onClose,
}: {
  name: string;
  secret: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('tokens.secretOf', { name })} onClose={onClose}>
      <Banner look="warn">{t('tokens.once')}</Banner>
      <div className="mt-4">
        <Field
          label={t('tokens.secret')}
          value={secret}
          readOnly
          autoComplete="off"
          onFocus={({ target }) => target.select()}
        />
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <CopyButton text={secret} />
        <Button look="main" onClick={onClose}>
          {t('tokens.kept')}
        </Button>
      </div>
    </Dialog>
  );
}
