import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { Field, INPUT } from '../parts/field.tsx';
import { useEnabledSkills } from '../skills/queries.ts';
import type { ChosenSkill } from './queries.ts';

type Skill = Schemas['Skill'];
type Parameter = Skill['parameters'][number];
type Value = string | number | boolean;

interface Props {
  workspaceId: string;
  chosen: ChosenSkill | undefined;
  onChoose: (chosen: ChosenSkill | undefined) => void;
}

/** The run's skill, with its parameters. Absent if there are no skills. */
export function SkillChoice({ workspaceId, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const skills = useEnabledSkills(workspaceId);
  if (!skills.data?.length) return null;
  const skill = skills.data.find(({ id }) => id === chosen?.skillId);
  const choose = (id: string) => {
    const next = skills.data.find((each) => each.id === id);
    onChoose(next && { skillId: id, paramValues: defaultsOf(next) });
  };
  const paramValues = chosen?.paramValues ?? {};
  const change = (name: string, value: Value) =>
    chosen && onChoose({ ...chosen, paramValues: { ...paramValues, [name]: value } });
  return (
    <div className="space-y-3">
      <label className="flex items-center gap-2 text-sm text-muted">
        {t('agent.skill')}
        <select
          value={chosen?.skillId ?? ''}
          onChange={({ target }) => choose(target.value)}
          className="min-h-9 min-w-0 rounded-md border border-line bg-surface px-2 text-ink"
        >
          <option value="">{t('agent.noSkill')}</option>
          {skills.data.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {skill && <p className="text-sm break-words text-muted">{skill.description}</p>}
      {skill && skill.parameters.length > 0 && (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          {skill.parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={paramValues[parameter.name]}
              onChange={(value) => change(parameter.name, value)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function defaultsOf({ parameters }: Skill): ChosenSkill['paramValues'] {
  const given = parameters.filter(({ defaultValue }) => defaultValue !== undefined);
  return Object.fromEntries(given.map(({ name, defaultValue }) => [name, defaultValue as Value]));
}

interface FieldProps {
  parameter: Parameter;
  value: Value | undefined;
  onChange: (value: Value) => void;
}

function ParameterField({ parameter, value, onChange }: FieldProps) {
  const { type, required, options = [], placeholder } = parameter;
  const label = `${parameter.label}${required ? ' *' : ''}`;
  if (type === 'boolean')
    return (
      <label className="flex min-h-9 items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
          className="size-4 accent-accent"
        />
        {label}
      </label>
    );
  if (type === 'select')
    return (
      <label className="block space-y-1.5 text-sm font-medium">
        {label}
        <select
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value)}
          className={INPUT}
        >
          {['', ...options].map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </label>
    );
  const isNumber = type === 'number';
  return (
    <Field
      label={label}
      type={isNumber ? 'number' : 'text'}
      placeholder={placeholder}
      value={String(value ?? '')}
      onChange={(text) => onChange(isNumber && text !== '' ? Number(text) : text)}
    />
  );
}
