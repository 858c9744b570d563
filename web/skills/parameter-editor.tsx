import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../parts/button.tsx';
import { CheckField, Field, SelectField } from '../parts/field.tsx';
import type { SkillParameter } from './queries.ts';

const TYPES = ['string', 'number', 'boolean', 'select'] as const;
const NAME = '[A-Za-z_][A-Za-z0-9_\\-]{0,63}';

interface Props {
  parameters: SkillParameter[];
  onChange: (parameters: SkillParameter[]) => void;
}

export function ParameterEditor({ parameters, onChange }: Props) {
  const { t } = useTranslation();
  const change = (place: number, parameter: SkillParameter) => onChange(parameters.with(place, parameter));
  const add = () => onChange([...parameters, { name: '', label: '', type: 'string', required: false }]);
  return (
    <fieldset className="space-y-3">
      <legend className="text-sm font-medium">{t('skills.parameters')}</legend>
      {parameters.map((parameter, place) => (
        <OneParameter
          // biome-ignore lint/suspicious/noArrayIndexKey: its name is being typed
          key={place}
          parameter={parameter}
          onChange={(changed) => change(place, changed)}
          onDrop={() => onChange(parameters.toSpliced(place, 1))}
        />
      ))}
      <Button icon="plus" onClick={add}>
        {t('skills.addParameter')}
      </Button>
    </fieldset>
  );
}

interface OneProps {
  parameter: SkillParameter;
  onChange: (parameter: SkillParameter) => void;
  onDrop: () => void;
}

function OneParameter({ parameter, onChange, onDrop }: OneProps) {
  const { t } = useTranslation();
  const { name, label, type, required, options = [] } = parameter;
  return (
    <div className="relative grid gap-3 rounded-lg border border-line p-4 pr-12 sm:grid-cols-2">
      <Field
        label={t('skills.parameterName')}
        value={name}
        required
        pattern={NAME}
        title={t('skills.parameterNameHint')}
        onChange={(value) => onChange({ ...parameter, name: value })}
      />
      <Field
        label={t('skills.parameterLabel')}
        value={label}
        required
        maxLength={200}
        onChange={(value) => onChange({ ...parameter, label: value })}
      />
      <SelectField
        label={t('skills.parameterType')}
        value={type}
        options={TYPES.map((each) => [each, t(`skills.parameterTypes.${each}`)])}
        onChange={(chosen) => onChange(withType(parameter, chosen as SkillParameter['type']))}
      />
      <DefaultValue parameter={parameter} onChange={onChange} />
      {type === 'select' && (
        <Field
          label={t('skills.options')}
          hint={t('skills.optionsHint')}
          required
          value={options.join(', ')}
          onChange={(value) => onChange({ ...parameter, options: value.split(/, ?/) })}
        />
      )}
      <CheckField
        label={t('skills.required')}
        checked={required}
        onChange={(isRequired) => onChange({ ...parameter, required: isRequired })}
      />
      <div className="absolute top-2 right-2">
        <IconButton
          icon="close"
          label={t('skills.dropParameter', { name: label || name })}
          onClick={onDrop}
        />
      </div>
    </div>
  );
}

/** Changes a parameter's type, and drops values that don't fit it. */
function withType(
  { defaultValue: _d, options: _o, ...parameter }: SkillParameter,
  type: SkillParameter['type'],
): SkillParameter {
  return { ...parameter, type, ...(type === 'select' && { options: [''] }) };
}

function DefaultValue({ parameter, onChange }: Omit<OneProps, 'onDrop'>) {
  const { t } = useTranslation();
  const { defaultValue, type } = parameter;
  if (type === 'boolean')
    return (
      <CheckField
        label={t('skills.default')}
        checked={defaultValue === true}
        onChange={(checked) => onChange({ ...parameter, defaultValue: checked })}
      />
    );
  const put = (text: string) => {
    const { defaultValue: _, ...rest } = parameter;
    onChange(text === '' ? rest : { ...rest, defaultValue: type === 'number' ? Number(text) : text });
  };
  return (
    <Field
      label={t('skills.default')}
      type={type === 'number' ? 'number' : 'text'}
      step="any"
      value={String(defaultValue ?? '')}
      onChange={put}
    />
  );
}
