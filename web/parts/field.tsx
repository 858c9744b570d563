import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readAs } from './read-as.ts';

interface Props extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  hint?: string;
  /** The problem with the value, shown instead of the hint. */
  problem?: string | undefined;
  /**
   * Returns how the service will read the value. If that differs from the typed text, it's shown instead of
   * the hint.
   */
  reads?: (text: string) => string;
  /** The browser's suggestions while typing. */
  suggestions?: readonly (readonly [value: string, text?: string])[] | undefined;
  onChange?: (value: string) => void;
}

export const INPUT =
  'min-h-10 w-full rounded-md border border-line bg-surface px-3 text-base placeholder:text-muted sm:text-sm';

export function Field({ label, hint, problem, reads, suggestions, onChange, ...rest }: Props) {
  const { t } = useTranslation();
  const list = useId();
  const value = readAs(rest, reads);
  const shown = value === undefined ? hint : t('parts.readAs', { value });
  return (
    <Labeled label={label} hint={problem ?? shown} isWrong={problem !== undefined}>
      {(names) => (
        <>
          {suggestions && (
            <datalist id={list}>
              {suggestions.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </datalist>
          )}
          <input
            {...names}
            {...rest}
            {...(problem !== undefined && { 'aria-invalid': true })}
            {...(suggestions && { list })}
            onChange={({ target }) => onChange?.(target.value)}
            className={INPUT}
          />
        </>
      )}
    </Labeled>
  );
}

interface AreaProps extends Omit<ComponentProps<'textarea'>, 'onChange'> {
  label: string;
  hint?: string;
  onChange: (value: string) => void;
}

export function TextArea({ label, hint, onChange, className = '', ...rest }: AreaProps) {
  return (
    <Labeled label={label} hint={hint}>
      {(names) => (
        <textarea
          {...names}
          {...rest}
          onChange={({ target }) => onChange(target.value)}
          className={`${INPUT} py-2 ${className}`}
        />
      )}
    </Labeled>
  );
}

interface SelectProps {
  label: string;
  hint?: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
  /** True for a label that only screen readers get. */
  isBare?: boolean;
}

/** A choice among several options, in the browser's native list. */
export function SelectField({ label, hint, value, options, onChange, isBare = false }: SelectProps) {
  return (
    <Labeled label={label} hint={hint} isBare={isBare}>
      {(names) => (
        <select {...names} value={value} onChange={({ target }) => onChange(target.value)} className={INPUT}>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  );
}

interface CheckProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function CheckField({ label, hint, checked, disabled = false, onChange }: CheckProps) {
  const id = useId();
  return (
    <div>
      <label
        className={`flex min-h-9 items-center gap-2.5 text-sm ${disabled ? 'text-muted' : 'cursor-pointer'}`}
      >
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={({ target }) => onChange(target.checked)}
          className="size-4 shrink-0 accent-accent"
        />
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  value: boolean;
  onChange: (value: boolean) => Promise<unknown>;
}

/**
 * A switch that saves immediately. It shows the new value while saving, and returns to the stored value if
 * saving fails.
 */
export function SwitchField({ label, hint, value, onChange }: SwitchProps) {
  const [chosen, setChosen] = useState<boolean>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen value is stored now
  useEffect(() => setChosen(undefined), [value]);
  const change = (next: boolean) => {
    setChosen(next);
    onChange(next).catch(() => setChosen(undefined));
  };
  return <CheckField label={label} hint={hint} checked={chosen ?? value} onChange={change} />;
}

interface LabeledProps {
  label: string;
  hint: string | undefined;
  isBare?: boolean;
  isWrong?: boolean;
  children: (names: { id: string; 'aria-describedby': string | undefined }) => ReactNode;
}

/** The label above a control, and its hint below. */
function Labeled({ label, hint, isBare = false, isWrong = false, children }: LabeledProps) {
  const id = useId();
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className={isBare ? 'sr-only' : 'block text-sm font-medium'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': hint ? `${id}-hint` : undefined })}
      {hint && (
        <p id={`${id}-hint`} className={`text-xs ${isWrong ? 'text-danger' : 'text-muted'}`}>
          {hint}
        </p>
      )}
    </div>
  );
}
