import './theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { startLanguages } from './languages/languages.ts';
import { RemedyContext } from './parts/remedy.ts';
import { modelRemedy } from './settings/ai-banner.tsx';
import { router } from './shell/router.ts';
import { startTheme } from './shell/theme.ts';

startTheme();
reloadOnceForNewBuild();
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

const TRIED = 'reloaded-for';

/** A tab of an older build requests deleted files: it reloads the page, once for each such file. */
function reloadOnceForNewBuild(): void {
  addEventListener('vite:preloadError', (event) => {
    const missing = String((event as Event & { payload?: Error }).payload?.message ?? '');
    if (sessionStorage.getItem(TRIED) === missing) return;
    sessionStorage.setItem(TRIED, missing);
    event.preventDefault();
    location.reload();
  });
}
