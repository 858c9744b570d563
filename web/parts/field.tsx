import { type ComponentProps, useId } from 'react';

interface Props extends ComponentProps<'input'> {
  label: string;
  hint?: string;
}

export const INPUT =
  'min-h-10 w-full rounded-md border border-line bg-surface px-3 text-base placeholder:text-muted sm:text-sm';

export function Field({ label, hint, ...rest }: Props) {
  const id = useId();
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <input id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...rest} className={INPUT} />
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
