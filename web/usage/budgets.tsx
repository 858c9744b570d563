import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll } from '../access/role.ts';
import { Badge } from '../parts/badge.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { formatDay } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Meter } from '../parts/meter.tsx';
import { useNames } from '../people/names.ts';
import { BudgetDialog } from './budget-dialog.tsx';
import { type Budget, shareOf, withoutBudget } from './budget-list.ts';
import { useBudgets, useChangeBudgets } from './queries.ts';
import { UsedOf } from './used-of.tsx';

export function Budgets() {
  const { t } = useTranslation();
  const budgets = useBudgets();
  const mayChange = useIsAdminOfAll();
  const [isAdding, setAdding] = useState(false);
  return (
    <Card title={t('usage.budgets')}>
      <p className="mb-3 text-sm text-muted">{t('usage.budgetsNote')}</p>
      <Loaded
        query={budgets}
        rows={2}
        isEmpty={({ data }) => data.length === 0}
        empty={<p className="text-sm">{t('usage.noBudgets')}</p>}
      >
        {({ data }) => (
          <ul aria-label={t('usage.budgets')} className="divide-y divide-line">
            {data.map((budget) => (
              <BudgetRow key={`${budget.scope} ${budget.id}`} budget={budget} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </Loaded>
      {mayChange && (
        <div className="mt-3">
          <Button icon="plus" onClick={() => setAdding(true)}>
            {t('usage.newBudget')}
          </Button>
        </div>
      )}
      {isAdding && <BudgetDialog onClose={() => setAdding(false)} />}
    </Card>
  );
}

function BudgetRow({ budget, mayChange }: { budget: Budget; mayChange: boolean }) {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState<'change' | 'remove'>();
  const name = useBudgetName(budget);
  const share = shareOf(budget);
  const look = share >= 1 ? 'danger' : share >= 0.8 ? 'warn' : 'accent';
  const close = () => setOpen(undefined);
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span title={budget.id} className="min-w-0 flex-1 basis-40 font-medium break-all">
          {name}
        </span>
        {share >= 0.8 && <Badge look={look}>{t(share >= 1 ? 'usage.usedUp' : 'usage.near')}</Badge>}
        <span className="text-muted tabular-nums">
          <UsedOf budget={budget} />
        </span>
        {mayChange && (
          <>
            <IconButton icon="edit" label={t('usage.changeOf', { name })} onClick={() => setOpen('change')} />
            <IconButton
              icon="trash"
              label={t('usage.removeOf', { name })}
              onClick={() => setOpen('remove')}
            />
          </>
        )}
      </div>
      <Meter label={t('usage.usedOf', { name })} share={share} look={look} />
      <p className="mt-1 text-xs text-muted">
        {t('usage.resets', { time: formatDay(budget.resetsAt, i18n.language) })}
      </p>
      {budget.warning && <Banner look="warn">{budget.warning}</Banner>}
      {open === 'change' && <BudgetDialog budget={budget} onClose={close} />}
      {open === 'remove' && <RemoveBudget budget={budget} name={name} onClose={close} />}
    </li>
  );
}

function useBudgetName({ scope, id, name }: Budget): string {
  const { t } = useTranslation();
  const names = useNames();
  if (scope === 'service') return t('usage.scopes.service');
  return `${t(`usage.scopes.${scope}`)}: ${name ?? names.get(id) ?? id}`;
}

function RemoveBudget({ budget, name, onClose }: { budget: Budget; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const change = useChangeBudgets();
  return (
    <ConfirmDialog
      title={t('usage.removeTitle', { name })}
      note={t('usage.removeNote')}
      action={t('parts.remove')}
      doing={change}
      onConfirm={() => change.mutate((budgets) => withoutBudget(budgets, budget), { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
