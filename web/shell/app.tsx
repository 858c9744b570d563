import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Access } from '../access/access.tsx';
import { PaletteKey } from '../palette/palette-key.tsx';
import { Connection } from './connection.tsx';

export function App() {
  const { t } = useTranslation();
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-surface focus:px-4 focus:py-2"
      >
        {t('shell.skip')}
      </a>
      <Connection />
      <Access>
        <Outlet />
        <PaletteKey />
      </Access>
    </>
  );
}
