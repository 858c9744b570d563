interface Props {
  label: string;
  /** The used share, from 0 to 1. More is shown as 1. */
  share: number;
  look?: 'accent' | 'warn' | 'danger';
}

const LOOKS = { accent: 'bg-accent', warn: 'bg-warn', danger: 'bg-danger' } as const;

/** A bar that shows how much of something is used. The numbers are next to it. */
export function Meter({ label, share, look = 'accent' }: Props) {
  const percent = Math.round(100 * Math.min(1, Math.max(0, share)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own is drawn in colors of its own
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div className={`h-full rounded-full ${LOOKS[look]}`} style={{ width: `${percent}%` }} />
    </div>
  );
}
