import type { ReactNode } from 'react';
import { optionId } from './combobox.ts';

interface Props<Item> {
  id: string;
  label: string;
  items: readonly Item[];
  /** The index of the selected item; -1 if there is none. */
  at: number;
  keyOf: (item: Item) => string;
  titleOf?: (item: Item) => string;
  onTake: (item: Item) => void;
  hidden?: boolean;
  className: string;
  /** Renders an option's content. */
  children: (item: Item) => ReactNode;
}

/** The list of a text field. The field keeps the focus and handles the keys (combobox.ts). */
export function Listbox<Item>({
  id,
  label,
  items,
  at,
  keyOf,
  titleOf,
  onTake,
  children,
  ...rest
}: Props<Item>) {
  return (
    <div id={id} role="listbox" aria-label={label} tabIndex={-1} {...rest}>
      {items.map((item, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
        <div
          key={keyOf(item)}
          ref={(option) => {
            if (place === at) option?.scrollIntoView({ block: 'nearest' });
          }}
          id={optionId(id, place)}
          role="option"
          aria-selected={place === at}
          tabIndex={-1}
          title={titleOf?.(item)}
          // The field keeps the focus, which it would otherwise lose before the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(item)}
          className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 text-sm hover:bg-sunken aria-selected:bg-accent-soft"
        >
          {children(item)}
        </div>
      ))}
    </div>
  );
}
