import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Icon } from '../parts/icon.tsx';
import type { WorkspaceItem } from './nav-items.ts';

export const NAV_ITEM =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm hover:bg-sunken data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-accent';

interface Props {
  item: WorkspaceItem;
  workspaceId: string;
  children?: ReactNode;
}

export function NavLink({ item, workspaceId, children }: Props) {
  const { t } = useTranslation();
  const may = useMay(item.least ?? 'viewer', workspaceId);
  if (item.least !== undefined && !may) return null;
  return (
    <Link
      to={item.to}
      params={{ workspaceId }}
      activeOptions={{ exact: item.to === '/w/$workspaceId', includeSearch: false }}
      className={NAV_ITEM}
    >
      <Icon name={item.icon} />
      {t(item.name)}
      {children}
    </Link>
  );
}
