import { useLocation } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../parts/icon.tsx';
import type { NavGroup as Group } from './nav-items.ts';
import { NavLink } from './nav-link.tsx';

/** A collapsible group: open when it contains the current page, or when the user left it open. */
export function NavGroup({ group, workspaceId }: { group: Group; workspaceId: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const isInside = group.items.some(({ to }) => pathname === to.replace('$workspaceId', workspaceId));
  const [isKept, setKept] = useState(() => localStorage.getItem(group.name) !== null);
  const keep = ({ currentTarget: { open } }: SyntheticEvent<HTMLDetailsElement>) => {
    if (open && isInside) return;
    if (open) localStorage.setItem(group.name, 'open');
    else localStorage.removeItem(group.name);
    setKept(open);
  };
  return (
    <details open={isInside || isKept} onToggle={keep} className="group/items">
      <summary className="flex min-h-8 list-none items-center gap-1.5 rounded-md px-2.5 text-xs font-medium text-muted hover:bg-sunken">
        {t(group.name)}
        <span className="transition-transform group-open/items:rotate-90">
          <Icon name="right" size={14} />
        </span>
      </summary>
      <div className="space-y-0.5 pb-1">
        {group.items.map((item) => (
          <NavLink key={item.to} item={item} workspaceId={workspaceId} />
        ))}
      </div>
    </details>
  );
}
