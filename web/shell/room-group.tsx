import { useLocation } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../parts/icon.tsx';
import { RoomLink } from './room-link.tsx';
import type { RoomGroup as Group } from './rooms.ts';

/** Rooms behind the name of their group: open when one of them is, or when this person left it open. */
export function RoomGroup({ group, workspaceId }: { group: Group; workspaceId: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const isInside = group.rooms.some(({ to }) => pathname === to.replace('$workspaceId', workspaceId));
  const [isKept, setKept] = useState(() => localStorage.getItem(group.name) !== null);
  const keep = ({ currentTarget: { open } }: SyntheticEvent<HTMLDetailsElement>) => {
    if (open && isInside) return;
    if (open) localStorage.setItem(group.name, 'open');
    else localStorage.removeItem(group.name);
    setKept(open);
  };
  return (
    <details open={isInside || isKept} onToggle={keep} className="group/rooms">
      <summary className="flex min-h-8 list-none items-center gap-1.5 rounded-md px-2.5 text-xs font-medium text-muted hover:bg-sunken">
        {t(group.name)}
        <span className="transition-transform group-open/rooms:rotate-90">
          <Icon name="right" size={14} />
        </span>
      </summary>
      <div className="space-y-0.5 pb-1">
        {group.rooms.map((room) => (
          <RoomLink key={room.to} room={room} workspaceId={workspaceId} />
        ))}
      </div>
    </details>
  );
}
