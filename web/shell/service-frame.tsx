import { Link, Outlet, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll, useMay } from '../access/role.ts';
import { Icon } from '../parts/icon.tsx';
import { BackLink } from '../settings/back.tsx';
import { FrameHeading } from './frame-heading.tsx';
import { SERVICE_ITEMS, type ServiceItem } from './nav-items.ts';

/** The service pages, as tabs. */
export function ServiceFrame() {
  const { t } = useTranslation();
  const { back } = useSearch({ strict: false });
  return (
    <main id="main" className="mx-auto w-full max-w-4xl px-5 py-8 sm:py-10">
      <div className="mb-4 flex items-center gap-1.5 text-sm text-muted">
        <Icon name="back" size={16} />
        {back === undefined ? (
          <Link to="/" className="hover:text-ink">
            {t('shell.toWorkspaces')}
          </Link>
        ) : (
          <BackLink back={back} className="hover:text-ink" />
        )}
      </div>
      <nav
        aria-label={t('shell.service')}
        className="mb-6 flex gap-1 fades overflow-x-auto border-b border-line"
      >
        {SERVICE_ITEMS.map((item) => (
          <ServiceLink key={item.to} item={item} />
        ))}
      </nav>
      <FrameHeading title={t('shell.service')} />
      <Outlet />
    </main>
  );
}

function ServiceLink({ item }: { item: ServiceItem }) {
  const { t } = useTranslation();
  const may = useMay(item.least ?? 'viewer');
  const isOfAll = useIsAdminOfAll();
  if ((item.least !== undefined && !may) || (item.ofAll && !isOfAll)) return null;
  return (
    <Link
      to={item.to}
      activeOptions={{ exact: true, includeSearch: false }}
      className="-mb-px flex min-h-10 shrink-0 items-center border-b-2 border-transparent px-3 text-sm text-muted hover:text-ink data-[status=active]:border-accent data-[status=active]:font-medium data-[status=active]:text-accent"
    >
      {t(item.name)}
    </Link>
  );
}
