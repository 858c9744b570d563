import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface Props {
  name: string;
  /**
   * Set if the state is stored elsewhere, such as in the URL. The contents are then rendered only while they
   * are open.
   */
  opened?: { isOpen: boolean; onChange: (isOpen: boolean) => void };
  children: ReactNode;
}

/** Details that few readers need, behind a label. */
export function Details({ name, opened, children }: Props) {
  const note = (isOpen: boolean) => {
    if (opened && opened.isOpen !== isOpen) opened.onChange(isOpen);
  };
  return (
    <details
      className="group mt-3 text-sm"
      open={opened?.isOpen}
      onToggle={({ currentTarget }) => note(currentTarget.open)}
    >
      <summary className="inline-flex min-h-9 list-none items-center gap-1.5 text-muted hover:text-ink">
        <span className="transition-transform group-open:rotate-90">
          <Icon name="right" size={14} />
        </span>
        {name}
      </summary>
      <div className="mt-2">{(opened?.isOpen ?? true) && children}</div>
    </details>
  );
}
