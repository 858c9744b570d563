import { useTranslation } from 'react-i18next';
import { ChangedMeanwhile } from '../api/versioned.ts';
import { type FormDraft, useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { useTokens } from '../tokens/queries.ts';
import { useWorkspaces } from '../workspaces/queries.ts';
import { type Budget, isSame, readLimit, withBudget } from './budget-list.ts';
import { useChangeBudgets } from './queries.ts';
import { UsedOf } from './used-of.tsx';

const SCOPES = ['service', 'workspace', 'caller'] as const;
type Scope = (typeof SCOPES)[number];

/** The budget as it is typed: texts, which may not be numbers yet. */
interface Draft {
  scope: Scope;
  id: string;
  usd: string;
  tokens: string;
}

function draftOf(budget: Budget | undefined): Draft {
  const { scope = 'service', id = '', monthlyUsd = '', monthlyTokens = '' } = budget ?? {};
  return { scope, id, usd: String(monthlyUsd), tokens: String(monthlyTokens) };
}

const LIMIT = { type: 'number', min: '0', inputMode: 'decimal' } as const;

interface Props {
  budget?: Budget;
  onClose: () => void;
}

/** Makes a new budget, or changes the limits of an existing one. */
export function BudgetDialog({ budget, onClose }: Props) {
  const { t } = useTranslation();
  const budgets = useChangeBudgets({ asOpened: true });
  const name = `budget ${budget ? JSON.stringify(budget) : 'new'}`;
  const form = useFormDraft(name, draftOf(budget));
  const { draft, drop, field } = form;
  const { scope, id, usd, tokens } = draft;
  const [monthlyUsd, monthlyTokens] = [readLimit(usd), readLimit(tokens)];
  const close = () => {
    drop();
    onClose();
  };
  const submit = () => {
    const limits = {
      scope,
      id: scope === 'service' ? 'service' : id.trim(),
      ...(monthlyUsd !== undefined && { monthlyUsd }),
      ...(monthlyTokens !== undefined && { monthlyTokens }),
    };
    budgets.mutate((before) => withBudget(before, limits), { onSuccess: close });
  };
  const isWhole = (scope === 'service' || id.trim() !== '') && (monthlyUsd ?? monthlyTokens) !== undefined;
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

/** The budget as another person saved it. */
function ByNow({ budget }: { budget: Budget | undefined }) {
  const { t } = useTranslation();
  return (
    <p className="text-sm">
      {t('usage.currentBudget')} {budget ? <UsedOf budget={budget} /> : t('usage.removed')}
    </p>
  );
}

/** Asks whose budget it is: a workspace of the list, or a caller by their id, because future callers aren't known. */
function About({ draft: { scope }, change, field }: FormDraft<Draft>) {
  const { t } = useTranslation();
  const workspaces = useWorkspaces().data ?? [];
  const tokens = useTokens().data ?? [];
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
        <Field
          label={t('usage.scopes.caller')}
          hint={t('usage.callerHint')}
          suggestions={tokens.map((token) => [token.id, token.name])}
          maxLength={200}
          {...field('id')}
        />
      )}
    </>
  );
}
