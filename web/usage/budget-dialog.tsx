import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangedMeanwhile } from '../api/versioned.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
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

interface Props {
  budget?: Budget;
  onClose: () => void;
}

/** Makes a new budget, or changes the limits of an existing one. */
export function BudgetDialog({ budget, onClose }: Props) {
  const { t } = useTranslation();
  const budgets = useChangeBudgets({ asOpened: true });
  const name = `budget ${budget ? JSON.stringify(budget) : 'new'}`;
  const { draft, change, drop } = useFormDraft(name, draftOf(budget));
  const { scope, id, usd, tokens } = draft;
  const [monthlyUsd, monthlyTokens] = [readLimit(usd), readLimit(tokens)];
  const close = () => {
    drop();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
    <Dialog title={t(budget ? 'usage.changeBudget' : 'usage.newBudget')} onClose={close}>
      <form onSubmit={submit} className="space-y-4">
        {!budget && <About draft={draft} onChange={change} />}
        <Limit
          label={t('usage.usdLimit')}
          value={usd}
          step="any"
          onChange={(value) => change({ usd: value })}
        />
        <Limit
          label={t('usage.tokenLimit')}
          value={tokens}
          step="1"
          onChange={(value) => change({ tokens: value })}
        />
        <p className="text-xs text-muted">{t('usage.limitHint')}</p>
        <Problem error={budgets.error} />
        {budgets.error instanceof ChangedMeanwhile && budget && (
          <ByNow budget={budgets.opened?.find((each) => isSame(each, budget))} />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{t('parts.cancel')}</Button>
          <Button look="main" type="submit" disabled={!isWhole || budgets.isPending}>
            {t('parts.save')}
          </Button>
        </div>
      </form>
    </Dialog>
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

interface LimitProps {
  label: string;
  value: string;
  step: string;
  onChange: (value: string) => void;
}

function Limit({ label, value, step, onChange }: LimitProps) {
  return (
    <Field
      label={label}
      type="number"
      min="0"
      step={step}
      inputMode="decimal"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

interface AboutProps {
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
}

/** Asks whose budget it is: a workspace of the list, or a caller by their id, because future callers aren't known. */
function About({ draft: { scope, id }, onChange }: AboutProps) {
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
          onChange({ scope: value as Scope, id: value === 'workspace' ? (workspaces[0]?.id ?? '') : '' })
        }
      />
      {scope === 'workspace' && (
        <SelectField
          label={t('usage.scopes.workspace')}
          value={id}
          options={workspaces.map((each) => [each.id, each.name])}
          onChange={(value) => onChange({ id: value })}
        />
      )}
      {scope === 'caller' && (
        <>
          <Field
            label={t('usage.scopes.caller')}
            hint={t('usage.callerHint')}
            list="callers"
            maxLength={200}
            value={id}
            onChange={({ target }) => onChange({ id: target.value })}
          />
          <datalist id="callers">
            {tokens.map((token) => (
              <option key={token.id} value={token.id}>
                {token.name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </>
  );
}
