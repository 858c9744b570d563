import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;
const SERVICE = `http://127.0.0.1:${process.env.PORT ?? '3000'}`;

/**
 * Serves files that pdf.js fetches by name when a PDF needs them. Their URL has the version, because asset files never
 * change.
 */
function pdfAssets(): Plugin {
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return {
    name: 'pdf-assets',
    apply: 'build',
    generateBundle() {
      const wanted = ['cmaps/*.bcmap', 'standard_fonts/*.{pfb,ttf}', 'wasm/openjpeg_nowasm_fallback.js'];
      for (const name of globSync(wanted, { cwd: folder })) {
        const source = readFileSync(join(folder, name));
        this.emitFile({ type: 'asset', fileName: `assets/pdfjs-${version}/${name}`, source });
      }
    },
  };
}

const packageFiles = new Set<string>();

/**
 * Lists the files of packages in the page and its workers, which are built first, for the licenses in the package that
 * users install (infra/pack).
 */
function packageList(fileName?: string): Plugin {
  return {
    name: 'package-list',
    apply: 'build',
    generateBundle(_, bundle) {
      const assets = Object.values(bundle).flatMap((file) =>
        file.type === 'asset' ? file.originalFileNames : [],
      );
      for (const file of [...this.getModuleIds(), ...assets])
        if (file.includes('node_modules/')) packageFiles.add(file.slice(file.lastIndexOf('node_modules/')));
      if (fileName !== undefined)
        this.emitFile({ type: 'asset', fileName, source: JSON.stringify([...packageFiles].sort()) });
    },
  };
}

/** What xterm.js does with style elements and attributes, how often, and what it does instead. */
const XTERM_STYLES = [
  { found: /[\w.]+\.createElement\("style"\)/g, times: 3, instead: 'styleSheetHolder()' },
  { found: /(\w+)\.setAttribute\("style",(`.*?`)\)/g, times: 1, instead: '($1.style.cssText=$2)' },
];
const HOLDER = join(root, 'terminal/style-sheet-holder.ts');

/**
 * Lets xterm.js set its styles under the content security policy. Fails if a new version sets them in another
 * way.
 */
function xtermStyles(): Plugin {
  return {
    name: 'xterm-styles',
    transform(code, id) {
      if (!id.includes('/@xterm/xterm/lib/xterm.mjs')) return undefined;
      for (const { found, times, instead } of XTERM_STYLES) {
        const count = code.match(found)?.length;
        if (count !== times) this.error(`xterm.js matches ${found} ${count} times instead of ${times}`);
        code = code.replace(found, instead);
      }
      return { code: `import { styleSheetHolder } from ${JSON.stringify(HOLDER)};\n${code}`, map: null };
    },
  };
}

/**
 * `npx vite web` serves the sources, and forwards /api to a service on PORT; infra/web/build.ts builds them. Nothing is
 * inlined, because the content security policy allows `data:` only for images, and no script in the page.
 */
export default defineConfig({
  root,
  cacheDir: join(root, '../node_modules/.cache/vite'),
  plugins: [tailwindcss(), pdfAssets(), packageList('.vite/packages.json'), xtermStyles()],
  worker: { plugins: () => [packageList()] },
  // Otherwise the development server would bundle it without the plugin.
  optimizeDeps: { exclude: ['@xterm/xterm'] },
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
    // except web/api/, whose sources have the same URL; the service accepts changes only from its own origin
    proxy: { '^/api/(?![^/]+[.]ts)': { target: SERVICE, changeOrigin: true, headers: { origin: SERVICE } } },
    fs: { allow: [resolve(root, '..')] },
  },
});
