import { Icon } from './icon.tsx';

interface Props {
  label: string;
  value: string;
  onChange: (words: string) => void;
}

export function SearchBox({ label, value, onChange }: Props) {
  return (
    <div className="relative min-w-0 flex-1 basis-40">
      <span className="absolute top-2.5 left-2.5 text-muted">
        <Icon name="search" size={16} />
      </span>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-9 w-full rounded-md border border-line bg-surface pr-2 pl-8 text-sm placeholder:text-muted"
      />
    </div>
  );
}
