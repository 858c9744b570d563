import { useTranslation } from 'react-i18next';
import {
  actionOfRow,
  RULE_ROWS,
  type RuleAction,
  type RuleRow,
  type RuleSet,
  withRow,
} from '../../lib/api-contract/rule-table.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { useChangeRules } from './queries.ts';

const ACTIONS: RuleAction[] = ['allow', 'ask', 'deny'];
const CHOSEN: Record<RuleAction, string> = {
  allow: 'border-good bg-good-soft text-good',
  ask: 'border-warn bg-warn-soft text-warn',
  deny: 'border-danger bg-danger-soft text-danger',
};

interface Props {
  workspaceId: string;
  set: RuleSet;
  mayChange: boolean;
}

/** The rules about all calls of a kind, as a table, which it reads from the rules and writes back. */
export function RuleTable({ workspaceId, set, mayChange }: Props) {
  const { t } = useTranslation();
  const change = useChangeRules(workspaceId);
  const choose = (row: RuleRow, action: RuleAction) =>
    change.mutate((rules, defaults) => withRow({ rules, defaults }, row, action));
  return (
    <>
      <table className="w-full table-fixed text-sm">
        <caption className="sr-only">{t('permissions.table')}</caption>
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            <th scope="col" className="py-2 pr-2 text-left font-medium">
              {t('permissions.kind')}
            </th>
            {ACTIONS.map((action) => (
              <th key={action} scope="col" className="w-[4.75rem] px-1 py-2 font-medium sm:w-28">
                {t(`permissions.actions.${action}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {RULE_ROWS.map((row) => (
            <Row key={row} row={row} set={set} isOff={!mayChange || change.isPending} onChoose={choose} />
          ))}
        </tbody>
      </table>
      <Problem error={change.error} />
    </>
  );
}

interface RowProps {
  row: RuleRow;
  set: RuleSet;
  isOff: boolean;
  onChoose: (row: RuleRow, action: RuleAction) => void;
}

function Row({ row, set, isOff, onChoose }: RowProps) {
  const { t } = useTranslation();
  const chosen = actionOfRow(set, row);
  const name = t(`permissions.kinds.${row}`);
  return (
    <tr>
      <th scope="row" className="py-2.5 pr-2 text-left font-medium">
        {name}
        {chosen === 'mixed' && (
          <span className="block text-xs font-normal text-muted">{t('permissions.mixed')}</span>
        )}
      </th>
      {ACTIONS.map((action) => (
        <td key={action} className="px-1 py-1.5 text-center">
          <button
            type="button"
            aria-label={`${name}: ${t(`permissions.actions.${action}`)}`}
            aria-pressed={chosen === action}
            disabled={isOff && chosen !== action}
            onClick={() => chosen !== action && !isOff && onChoose(row, action)}
            className={`flex min-h-9 w-full items-center justify-center rounded-md border ${chosen === action ? CHOSEN[action] : 'border-line hover:bg-sunken disabled:opacity-50'}`}
          >
            {chosen === action && <Icon name="check" size={18} />}
          </button>
        </td>
      ))}
    </tr>
  );
}
