import * as Dropdown from '@radix-ui/react-dropdown-menu';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  icon: IconName;
  label: string;
  danger?: boolean;
  onSelect: () => void;
}

/** Not modal, because the modal form puts a <style> into the page, which the content security policy refuses. */
export function Menu({ label, items }: { label: string; items: MenuItem[] }) {
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger
        aria-label={label}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
      >
        <Icon name="more" size={16} />
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
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
