import { useTranslation } from 'react-i18next';
import { MODES } from '../../../lib/api-contract/runs.ts';
import { TOOL_NAMES } from '../../../lib/api-contract/tool-names.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { INPUT, SelectField, TextArea } from '../../parts/field.tsx';
import { ParamFields, type ParamValues } from '../../skills/param-fields.tsx';
import { useEnabledSkills } from '../../skills/queries.ts';
import type { ConfigProps } from './config-props.ts';

/** The settings of an agent run: its prompt, its mode, and its unattended permissions. */
export function CustomConfig(props: ConfigProps) {
  const { t } = useTranslation();
  const { config, onChange } = props;
  return (
    <>
      <TextArea
        label={t('tasks.prompt')}
        rows={5}
        required
        value={String(config.prompt ?? '')}
        onChange={(value) => onChange({ ...config, prompt: value })}
      />
      <SelectField
        label={t('agent.mode')}
        value={String(config.mode ?? MODES[0])}
        options={MODES.map((mode) => [mode, t(`agent.modes.${mode}`)])}
        onChange={(mode) => onChange({ ...config, mode })}
      />
      <SkillChoice {...props} />
      <Permits {...props} />
    </>
  );
}

function SkillChoice({ workspaceId, config, onChange }: ConfigProps) {
  const { t } = useTranslation();
  const skills = useEnabledSkills(workspaceId).data ?? [];
  const chosen = skills.find(({ id }) => id === config.skillId);
  const choose = (skillId: string) => {
    const { skillId: _s, params: _p, ...rest } = config;
    onChange(skillId === '' ? rest : { ...rest, skillId });
  };
  return (
    <>
      <SelectField
        label={t('tasks.skill')}
        value={String(config.skillId ?? '')}
        options={[['', t('tasks.noSkill')], ...skills.map(({ id, name }) => [id, name] as const)]}
        onChange={choose}
      />
      {chosen && (
        <ParamFields
          parameters={chosen.parameters}
          values={(config.params ?? {}) as ParamValues}
          onChange={(params) => onChange({ ...config, params })}
        />
      )}
    </>
  );
}

interface Permit {
  tool: string;
  pattern: string;
}

/**
 * The actions that the task may take. Other actions that need approval by the workspace's rules are denied.
 */
function Permits({ config, onChange }: ConfigProps) {
  const { t } = useTranslation();
  const permits = (config.permits ?? []) as Permit[];
  const put = (next: Permit[]) => onChange({ ...config, permits: next });
  const change = (place: number, changed: Partial<Permit>) =>
    put(permits.map((permit, at) => (at === place ? { ...permit, ...changed } : permit)));
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">{t('tasks.permits')}</legend>
      <p className="text-xs text-muted">{t('tasks.permitsHint')}</p>
      {permits.map((permit, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a permit is its place in the list
        <div key={place} className="flex items-center gap-2">
          <select
            aria-label={t('tasks.tool')}
            value={permit.tool}
            onChange={({ target }) => change(place, { tool: target.value })}
            className={`${INPUT} max-w-40`}
          >
            {[...new Set<string>([permit.tool, ...TOOL_NAMES])].map((tool) => (
              <option key={tool}>{tool}</option>
            ))}
          </select>
          <input
            aria-label={t('tasks.pattern')}
            value={permit.pattern}
            onChange={({ target }) => change(place, { pattern: target.value })}
            className={`${INPUT} font-mono`}
          />
          <IconButton
            icon="close"
            label={t('tasks.dropPermit')}
            onClick={() => put(permits.filter((_, at) => at !== place))}
          />
        </div>
      ))}
      <Button icon="plus" onClick={() => put([...permits, { tool: 'writeFile', pattern: '**' }])}>
        {t('tasks.addPermit')}
      </Button>
    </fieldset>
  );
}
