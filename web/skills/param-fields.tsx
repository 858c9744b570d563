import { useTranslation } from 'react-i18next';
import { CheckField, Field, SelectField } from '../parts/field.tsx';
import type { SkillParameter } from './queries.ts';

export type ParamValues = Record<string, string | number | boolean>;

interface Props {
  parameters: SkillParameter[];
  values: ParamValues;
  onChange: (values: ParamValues) => void;
}

/** Fields for the parameters of a skill, before it runs. */
export function ParamFields({ parameters, values, onChange }: Props) {
  return (
    <div className="space-y-4">
      {parameters.map((parameter) => (
        <ParamField
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? parameter.defaultValue}
          onChange={(value) => onChange(withValue(values, parameter.name, value))}
        />
      ))}
    </div>
  );
}

/** Sets a value; an emptied field gets its default. */
function withValue(values: ParamValues, name: string, value: ParamValues[string] | undefined): ParamValues {
  const { [name]: _, ...others } = values;
  return value === undefined || value === '' ? others : { ...others, [name]: value };
}

/** Returns required parameters without a value. */
export function missingParams(parameters: SkillParameter[], values: ParamValues): string[] {
  return parameters
    .filter(({ name, required, defaultValue }) => required && (values[name] ?? defaultValue ?? '') === '')
    .map(({ label }) => label);
}

interface FieldProps {
  parameter: SkillParameter;
  value: ParamValues[string] | undefined;
  onChange: (value: ParamValues[string] | undefined) => void;
}

function ParamField({ parameter, value, onChange }: FieldProps) {
  const { t } = useTranslation();
  const { label, type, required, options = [], placeholder } = parameter;
  if (type === 'boolean') return <CheckField label={label} checked={value === true} onChange={onChange} />;
  if (type === 'select')
    return (
      <SelectField
        label={label}
        value={String(value ?? '')}
        options={[['', t('skills.choose')], ...options.map((each) => [each, each] as const)]}
        onChange={onChange}
      />
    );
  return (
    <Field
      label={label}
      type={type === 'number' ? 'number' : 'text'}
      step="any"
      required={required}
      placeholder={placeholder}
      value={String(value ?? '')}
      onChange={(text) => onChange(type === 'number' && text !== '' ? Number(text) : text)}
    />
  );
}
