import * as Dropdown from '@radix-ui/react-dropdown-menu';
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  icon: IconName;
  label: string;
  danger?: boolean;
  onSelect: () => void;
}

interface Props {
  /** The button that opens it. */
  children: ReactNode;
  items: MenuItem[];
  /** It was opened by a key, so its first item is focused. */
  byKey: boolean;
}

/**
 * Mounted open, by the first press of the button. Not modal, because the modal form puts a <style> into the page, which the
 * content security policy refuses.
 */
export function DropdownMenu({ children, items, byKey }: Props) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (byKey) content.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, [byKey]);
  return (
    <Dropdown.Root modal={false} defaultOpen>
      <Dropdown.Trigger asChild>{children}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          ref={content}
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
