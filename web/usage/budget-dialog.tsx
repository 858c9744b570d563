import { useTranslation } from 'react-i18next';
import { ChangedMeanwhile } from '../api/versioned.ts';
import { type FormDraft, useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { NOBODY, type PersonDraft, PersonField, usePersonId } from '../people/person-field.tsx';
import { useWorkspaces } from '../workspaces/queries.ts';
import { type Budget, isSame, readLimit, withBudget } from './budget-list.ts';
import { useChangeBudgets } from './queries.ts';
import { UsedOf } from './used-of.tsx';

const SCOPES = ['service', 'workspace', 'caller'] as const;
type Scope = (typeof SCOPES)[number];

/** The budget as typed; its texts may not be numbers yet. */
interface Draft {
  scope: Scope;
  /** The workspace, for a workspace's budget. */
  id: string;
  person: PersonDraft;
  usd: string;
  tokens: string;
}

function draftOf(budget: Budget | undefined): Draft {
  const { scope = 'service', id = '', monthlyUsd = '', monthlyTokens = '' } = budget ?? {};
  const person = scope === 'caller' ? { typed: id, id } : NOBODY;
  return { scope, id, person, usd: String(monthlyUsd), tokens: String(monthlyTokens) };
}

const LIMIT = { type: 'number', min: '0', inputMode: 'decimal' } as const;

interface Props {
  budget?: Budget;
  onClose: () => void;
}

/** Creates a budget, or changes the limits of an existing one. */
export function BudgetDialog({ budget, onClose }: Props) {
  const { t } = useTranslation();
  const budgets = useChangeBudgets({ asOpened: true });
  const name = `budget ${budget ? JSON.stringify(budget) : 'new'}`;
  const form = useFormDraft(name, draftOf(budget));
  const { draft, drop, field } = form;
  const { scope, person, usd, tokens } = draft;
  const caller = usePersonId(person);
  const id = { service: 'service', workspace: draft.id, caller: caller ?? '' }[scope];
  const [monthlyUsd, monthlyTokens] = [readLimit(usd), readLimit(tokens)];
  const close = () => {
    drop();
    onClose();
  };
  const submit = () => {
    const limits = {
      scope,
      id,
      ...(monthlyUsd !== undefined && { monthlyUsd }),
      ...(monthlyTokens !== undefined && { monthlyTokens }),
    };
    budgets.mutate((before) => withBudget(before, limits), { onSuccess: close });
  };
  const isWhole = id !== '' && (monthlyUsd ?? monthlyTokens) !== undefined;
  return (
    <FormDialog
      title={t(budget ? 'usage.changeBudget' : 'usage.newBudget')}
      onClose={close}
      onSend={submit}
      sending={budgets}
      isWhole={isWhole}
      action={t('parts.save')}
      problem={
        <>
          <Problem error={budgets.error} />
          {budgets.error instanceof ChangedMeanwhile && budget && (
            <ByNow budget={budgets.opened?.find((each) => isSame(each, budget))} />
          )}
        </>
      }
    >
      {!budget && <About {...form} />}
      <Field label={t('usage.usdLimit')} {...LIMIT} step="any" {...field('usd')} />
      <Field label={t('usage.tokenLimit')} {...LIMIT} step="1" {...field('tokens')} />
      <p className="text-xs text-muted">{t('usage.limitHint')}</p>
    </FormDialog>
  );
}

/** The budget as saved by another person in the meantime. */
function ByNow({ budget }: { budget: Budget | undefined }) {
  const { t } = useTranslation();
  return (
    <p className="text-sm">
      {t('usage.currentBudget')} {budget ? <UsedOf budget={budget} /> : t('usage.removed')}
    </p>
  );
}

/** Asks for the budget's subject: a workspace in the list, or a caller, who need not have called yet. */
function About({ draft: { scope, person }, change, field }: FormDraft<Draft>) {
  const { t } = useTranslation();
  const workspaces = useWorkspaces().data ?? [];
  return (
    <>
      <SelectField
        label={t('usage.scope')}
        value={scope}
        options={SCOPES.map((each) => [each, t(`usage.scopes.${each}`)])}
        onChange={(value) =>
          change({ scope: value as Scope, id: value === 'workspace' ? (workspaces[0]?.id ?? '') : '' })
        }
      />
      {scope === 'workspace' && (
        <SelectField
          label={t('usage.scopes.workspace')}
          options={workspaces.map((each) => [each.id, each.name])}
          {...field('id')}
        />
      )}
      {scope === 'caller' && (
        <PersonField
          label={t('usage.scopes.caller')}
          hint={t('usage.callerHint')}
          value={person}
          onChange={(next) => change({ person: next })}
          maxLength={200}
        />
      )}
    </>
  );
}
