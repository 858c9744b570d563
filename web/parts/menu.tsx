import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { fetchPart } from '../api/fetch-part.ts';
import { Button } from './button.tsx';
import type { MenuItem } from './dropdown.tsx';
import { Icon, type IconName } from './icon.tsx';
import { pressedKey } from './pressed-key.ts';

interface Props extends Pick<ComponentProps<'button'>, 'disabled' | 'tabIndex'> {
  label: string;
  items: MenuItem[];
  /** The icon next to the label. Without an icon, the button shows three dots. */
  icon?: IconName;
}

const fetchDropdown = () => fetchPart(() => import('./dropdown.tsx'));

/** A menu. Its list has 29 KB, so it's fetched when the button is hovered, focused, or pressed. */
export function Menu({ items, ...rest }: Props) {
  const [part, setPart] = useState<Awaited<ReturnType<typeof fetchDropdown>>>();
  const [opened, setOpened] = useState<{ byKey: boolean; container: Element | null }>();
  const open = (button: Element, byKey: boolean) => {
    setOpened({ byKey, container: button.closest('dialog, aside, main') });
    void fetchDropdown().then(setPart);
  };
  if (part !== undefined && opened !== undefined)
    return (
      <part.DropdownMenu items={items} {...opened}>
        <MenuButton {...rest} />
      </part.DropdownMenu>
    );
  return (
    <MenuButton
      {...rest}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void fetchDropdown()}
      onFocus={() => void fetchDropdown()}
      onClick={({ currentTarget, detail }) => open(currentTarget, detail === 0)}
      onKeyDown={(event: KeyboardEvent<HTMLButtonElement>) => {
        if (pressedKey(event) !== 'ArrowDown') return;
        event.preventDefault();
        open(event.currentTarget, true);
      }}
    />
  );
}

type ButtonProps = Pick<Props, 'label' | 'icon'> & ComponentProps<'button'>;

function MenuButton({ label, icon, ...rest }: ButtonProps) {
  if (icon !== undefined)
    return (
      <Button {...rest} icon={icon}>
        {label}
        <Icon name="down" size={14} />
      </Button>
    );
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
    >
      <Icon name="more" size={16} />
    </button>
  );
}
