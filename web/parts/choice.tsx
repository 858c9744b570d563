interface Props {
  label: string;
  value: string;
  options: [string, string][];
  onChange: (value: string) => void;
}

/** A choice among a few options, all of which are visible. */
export function Choice({ label, value, options, onChange }: Props) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm text-muted">{label}</legend>
      <div className="inline-flex rounded-md border border-line p-0.5">
        {options.map(([name, text]) => (
          <label
            key={name}
            className="cursor-pointer rounded-sm px-3 py-1.5 text-sm has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={label}
              checked={name === value}
              onChange={() => onChange(name)}
              className="sr-only"
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
