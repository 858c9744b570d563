import * as Dropdown from '@radix-ui/react-dropdown-menu';
import { type FocusEvent, type ReactNode, useRef } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  icon: IconName;
  label: string;
  danger?: boolean;
  onSelect: () => void;
}

interface Props {
  /** The button that opens the menu. */
  children: ReactNode;
  items: MenuItem[];
  /** True if the menu was opened by a key, so its first item is focused. */
  byKey: boolean;
  /** The landmark that contains the button. Behind a dialog, the end of the page would be inert. */
  container: Element | null;
}

/**
 * A menu that is mounted open by the first press of its button. It isn't modal, because a modal one adds a
 * <style> to the page, which the content security policy refuses.
 */
export function DropdownMenu({ children, items, byKey, container }: Props) {
  const isFirst = useRef(byKey);
  const focusItem = ({ currentTarget }: FocusEvent<HTMLElement>) => {
    if (isFirst.current) currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    isFirst.current = false;
  };
  return (
    <Dropdown.Root modal={false} defaultOpen>
      <Dropdown.Trigger asChild>{children}</Dropdown.Trigger>
      <Dropdown.Portal container={container}>
        <Dropdown.Content
          onFocus={focusItem}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-md border border-line bg-surface p-1 shadow-raised"
        >
          {items.map(({ icon, label: text, danger, onSelect }) => (
            <Dropdown.Item
              key={text}
              onSelect={onSelect}
              className={`flex min-h-9 items-center gap-2.5 rounded-sm px-2.5 text-sm outline-none data-[highlighted]:bg-sunken ${danger ? 'text-danger' : ''}`}
            >
              <Icon name={icon} size={16} />
              {text}
            </Dropdown.Item>
          ))}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}
