import { useTranslation } from 'react-i18next';
import { TOOL_NAMES } from '../../lib/api-contract/tool-names.ts';
import { useFormDraft } from '../parts/draft.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useChangeRules } from './queries.ts';
import type { Rule } from './rule-list.ts';

const ACTIONS = ['allow', 'ask', 'deny'] as const;
/** The agent's own tools. Tools of external servers have other names, which can be typed. */
const OFFERED = [...TOOL_NAMES, 'mcp__*', '*'];

const EMPTY = { tool: '', pattern: '', action: 'ask' as Rule['action'] };

/** Adds the rule at the end of the list, where it takes precedence. */
export function NewRule({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const rules = useChangeRules(workspaceId);
  const { draft, change, field } = useFormDraft(`rule ${workspaceId}`, EMPTY);
  const { tool, pattern, action } = draft;
  const submit = () => {
    const rule = { tool: tool.trim(), pattern, action };
    rules.mutate((before) => [...before, rule], { onSuccess: () => change({ pattern: '' }) });
  };
  return (
    <Form
      onSend={submit}
      sending={rules}
      isWhole={tool.trim() !== '' && pattern !== ''}
      action={t('permissions.add')}
      icon="plus"
      className="mt-4 space-y-3 border-t border-line pt-4"
    >
      <div className="grid gap-3 sm:grid-cols-[10rem_1fr_8rem]">
        <Field
          label={t('permissions.tool')}
          suggestions={OFFERED.map((each) => [each])}
          required
          maxLength={128}
          {...field('tool')}
        />
        <Field
          label={t('permissions.pattern')}
          hint={t('permissions.patternHint')}
          required
          maxLength={300}
          {...field('pattern')}
        />
        <SelectField
          label={t('permissions.action')}
          options={ACTIONS.map((each) => [each, t(`permissions.actions.${each}`)])}
          {...field('action')}
        />
      </div>
    </Form>
  );
}
