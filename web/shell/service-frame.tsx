import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll, useMay } from '../access/role.ts';
import { Icon } from '../parts/icon.tsx';
import { SERVICE_ROOMS, type ServiceRoom } from './rooms.ts';

/** The rooms of the service, side by side. */
export function ServiceFrame() {
  const { t } = useTranslation();
  return (
    <main id="main" className="mx-auto w-full max-w-4xl px-5 py-8 sm:py-10">
      <Link to="/" className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
        <Icon name="back" size={16} />
        {t('shell.toWorkspaces')}
      </Link>
      <nav aria-label={t('shell.service')} className="mb-6 flex gap-1 overflow-x-auto border-b border-line">
        {SERVICE_ROOMS.map((room) => (
          <ServiceLink key={room.to} room={room} />
        ))}
      </nav>
      <Outlet />
    </main>
  );
}

function ServiceLink({ room }: { room: ServiceRoom }) {
  const { t } = useTranslation();
  const may = useMay(room.least ?? 'viewer');
  const isOfAll = useIsAdminOfAll();
  if ((room.least !== undefined && !may) || (room.ofAll && !isOfAll)) return null;
  return (
    <Link
      to={room.to}
      activeOptions={{ exact: true, includeSearch: false }}
      className="-mb-px flex min-h-10 shrink-0 items-center border-b-2 border-transparent px-3 text-sm text-muted hover:text-ink data-[status=active]:border-accent data-[status=active]:font-medium data-[status=active]:text-accent"
    >
      {t(room.name)}
    </Link>
  );
}
