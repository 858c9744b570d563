import { useId } from 'react';
import { INPUT } from './field.tsx';

interface Props {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
  /** Heard, not seen: where the place says it. */
  isBare?: boolean;
}

/** One of several, in the browser's own list. */
export function Select({ label, value, options, onChange, isBare = false }: Props) {
  const id = useId();
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className={isBare ? 'sr-only' : 'block text-sm font-medium'}>
        {label}
      </label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)} className={INPUT}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
