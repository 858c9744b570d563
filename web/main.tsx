import './theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { startLanguages } from './languages/languages.ts';
import { reloadOnceForNewBuild } from './shell/new-build.ts';
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
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
