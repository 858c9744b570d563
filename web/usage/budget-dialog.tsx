import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { itemsOf } from '../api/page.ts';
import { ChangedMeanwhile } from '../api/versioned.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { useTokens } from '../tokens/queries.ts';
import { useWorkspaces } from '../workspaces/queries.ts';
import { type Budget, isSame, readLimit, withBudget } from './budget-list.ts';
import { useChangeBudgets } from './queries.ts';
import { UsedOf } from './used-of.tsx';

const SCOPES = ['service', 'workspace', 'caller'] as const;
type Scope = (typeof SCOPES)[number];

/** A new budget, or other limits of one that is there. */
export function BudgetDialog({ budget, onClose }: { budget?: Budget; onClose: () => void }) {
  const { t } = useTranslation();
  const change = useChangeBudgets({ asOpened: true });
  const [scope, setScope] = useState<Scope>(budget?.scope ?? 'service');
  const [id, setId] = useState(budget?.id ?? '');
  const [usd, setUsd] = useState(String(budget?.monthlyUsd ?? ''));
  const [tokens, setTokens] = useState(String(budget?.monthlyTokens ?? ''));
  const [monthlyUsd, monthlyTokens] = [readLimit(usd), readLimit(tokens)];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const limits = {
      scope,
      id: scope === 'service' ? 'service' : id.trim(),
      ...(monthlyUsd !== undefined && { monthlyUsd }),
      ...(monthlyTokens !== undefined && { monthlyTokens }),
    };
    change.mutate((budgets) => withBudget(budgets, limits), { onSuccess: onClose });
  };
  const isWhole = (scope === 'service' || id.trim() !== '') && (monthlyUsd ?? monthlyTokens) !== undefined;
  return (
    <Dialog title={t(budget ? 'usage.changeBudget' : 'usage.newBudget')} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        {!budget && <About scope={scope} id={id} onScope={setScope} onId={setId} />}
        <Limit label={t('usage.usdLimit')} value={usd} step="any" onChange={setUsd} />
        <Limit label={t('usage.tokenLimit')} value={tokens} step="1" onChange={setTokens} />
        <p className="text-xs text-muted">{t('usage.limitHint')}</p>
        {change.error && <Problem error={change.error} />}
        {change.error instanceof ChangedMeanwhile && budget && (
          <ByNow budget={change.opened?.find((each) => isSame(each, budget))} />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('parts.cancel')}</Button>
          <Button look="main" type="submit" disabled={!isWhole || change.isPending}>
            {t('parts.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What somebody else made of it. */
function ByNow({ budget }: { budget: Budget | undefined }) {
  const { t } = useTranslation();
  return (
    <p className="text-sm">
      {t('usage.byNow')} {budget ? <UsedOf budget={budget} /> : t('usage.goneByNow')}
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
  scope: Scope;
  id: string;
  onScope: (scope: Scope) => void;
  onId: (id: string) => void;
}

/** Whose budget: a workspace of the list; a caller by its id, for nobody knows all who come. */
function About({ scope, id, onScope, onId }: AboutProps) {
  const { t } = useTranslation();
  const workspaces = useWorkspaces().data ?? [];
  const tokens = itemsOf(useTokens().data);
  return (
    <>
      <SelectField
        label={t('usage.scope')}
        value={scope}
        options={SCOPES.map((each) => [each, t(`usage.scopes.${each}`)])}
        onChange={(value) => {
          onScope(value as Scope);
          onId(value === 'workspace' ? (workspaces[0]?.id ?? '') : '');
        }}
      />
      {scope === 'workspace' && (
        <SelectField
          label={t('usage.scopes.workspace')}
          value={id}
          options={workspaces.map((each) => [each.id, each.name])}
          onChange={onId}
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
            onChange={({ target }) => onId(target.value)}
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
