import { join, resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

/**
 * `npx vite web` serves the sources, and hands /api to a service that runs on PORT; infra/web/build.ts builds them.
 * Nothing is inlined: the content security policy allows no `data:` but pictures, and no script in the page.
 */
export default defineConfig({
  root,
  cacheDir: join(root, '../node_modules/.cache/vite'),
  plugins: [tailwindcss()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    emptyOutDir: true,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? '3000'}` },
    fs: { allow: [resolve(root, '..')] },
  },
});
