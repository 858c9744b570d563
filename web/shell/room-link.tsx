import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Icon } from '../parts/icon.tsx';
import type { WorkspaceRoom } from './rooms.ts';

export const ROOM_ITEM =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm hover:bg-sunken data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-accent';

interface Props {
  room: WorkspaceRoom;
  workspaceId: string;
  children?: ReactNode;
}

export function RoomLink({ room, workspaceId, children }: Props) {
  const { t } = useTranslation();
  const may = useMay(room.least ?? 'viewer', workspaceId);
  if (room.least !== undefined && !may) return null;
  return (
    <Link
      to={room.to}
      params={{ workspaceId }}
      activeOptions={{ exact: room.to === '/w/$workspaceId', includeSearch: false }}
      className={ROOM_ITEM}
    >
      <Icon name={room.icon} />
      {t(room.name)}
      {children}
    </Link>
  );
}
