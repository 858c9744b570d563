import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { TOOL_NAMES } from '../../lib/api-contract/tool-names.ts';
import { Button } from '../parts/button.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { useChangeRules } from './queries.ts';
import type { Rule } from './rule-list.ts';

const ACTIONS = ['allow', 'ask', 'deny'] as const;
/** The agent's own are offered; those of outside servers have names of their own, which may be typed. */
const OFFERED = [...TOOL_NAMES, 'mcp__*', '*'];

const EMPTY = { tool: '', pattern: '', action: 'ask' as Rule['action'] };

/** Adds the rule at the end of the list, where it wins over the others. */
export function NewRule({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const rules = useChangeRules(workspaceId);
  const { draft, change } = useFormDraft(`rule ${workspaceId}`, EMPTY);
  const { tool, pattern, action } = draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const rule = { tool: tool.trim(), pattern, action };
    rules.mutate((before) => [...before, rule], { onSuccess: () => change({ pattern: '' }) });
  };
  return (
    <form onSubmit={submit} className="mt-4 space-y-3 border-t border-line pt-4">
      <div className="grid gap-3 sm:grid-cols-[10rem_1fr_8rem]">
        <Field
          label={t('permissions.tool')}
          list="tools"
          required
          maxLength={128}
          value={tool}
          onChange={({ target }) => change({ tool: target.value })}
        />
        <datalist id="tools">
          {OFFERED.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <Field
          label={t('permissions.pattern')}
          hint={t('permissions.patternHint')}
          required
          maxLength={300}
          value={pattern}
          onChange={({ target }) => change({ pattern: target.value })}
        />
        <SelectField
          label={t('permissions.action')}
          value={action}
          options={ACTIONS.map((each) => [each, t(`permissions.actions.${each}`)])}
          onChange={(value) => change({ action: value as Rule['action'] })}
        />
      </div>
      {rules.error && <Problem error={rules.error} />}
      <Button look="main" icon="plus" type="submit" disabled={!tool.trim() || !pattern || rules.isPending}>
        {t('permissions.add')}
      </Button>
    </form>
  );
}
