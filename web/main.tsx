import './theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { startLanguages } from './languages/languages.ts';
import { RemedyContext } from './parts/remedy.ts';
import { modelRemedy } from './settings/ai-banner.tsx';
import { preloadMainPages, router } from './shell/router.ts';
import { startTheme } from './shell/theme.ts';

const QUIET_MS = 3_000;

startTheme();
await startLanguages();
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RemedyContext value={modelRemedy}>
          <RouterProvider router={router} />
        </RemedyContext>
      </QueryClientProvider>
    </StrictMode>,
  );

afterFirstPage(() => void preloadMainPages());

/**
 * Preloads pages after the first page has loaded. On a slow or metered connection, a page is fetched only
 * when it opens.
 */
function afterFirstPage(preload: () => void): void {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  if (connection?.saveData || (connection?.effectiveType ?? '4g') !== '4g') return;
  const idle = globalThis.requestIdleCallback ?? setTimeout; // Safari lacks requestIdleCallback
  setTimeout(() => idle(preload), QUIET_MS);
}
