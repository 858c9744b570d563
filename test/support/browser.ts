import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';
import { installPackages } from '../../infra/install-packages.ts';
import { sha256 } from '../../lib/paths/hash.ts';
import { installOnce } from './install-once.ts';

/**
 * pdf.js throws this error in its worker, where no page can catch it, for a PDF that is closed while it
 * opens.
 */
const OF_PDFJS = 'Worker was terminated';

/** The used part of `@sparticuz/chromium`, which is in .cache/. */
interface PackedChromium {
  args: string[];
  setGraphicsMode: boolean;
  executablePath(): Promise<string>;
}

/**
 * Flags with which closing a context ends the browser, and flags that hide violations that a real browser
 * blocks.
 */
const NOT_WANTED = /^--(single-process|no-zygote|disable-web-security|allow-running-insecure-content)/;

/** `fonts`: a folder of fonts that this host lacks, for pictures in other scripts. */
export async function startBrowser(fonts?: string): Promise<Browser> {
  const chromium = await findChromium();
  chromium.setGraphicsMode = false;
  return playwright.launch({
    // Without a UTF-8 locale, Chromium can't receive dropped files with non-ASCII names.
    env: { LANG: 'C.UTF-8', ...process.env, ...(fonts !== undefined && { XDG_DATA_HOME: fonts }) },
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((flag) => !NOT_WANTED.test(flag)),
    headless: true,
  });
}

/**
 * Chromium has a separate lock file, whose hash names the folder in .cache/: a new version is installed next
 * to the old one.
 */
async function findChromium(): Promise<PackedChromium> {
  const locked = join(import.meta.dirname, 'browser');
  const hash = await sha256(await readFile(join(locked, 'package-lock.json')));
  const folder = await installOnce('chromium', hash.slice(0, 12), (into) => installPackages(locked, into));
  return createRequire(join(folder, 'package.json'))('@sparticuz/chromium');
}

export interface Watched {
  context: BrowserContext;
  page: Page;
  /** Faults of a page: it violates the policy, throws, or contacts another origin. */
  faults: string[];
}

export interface Look {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  language?: 'en' | 'zh-CN';
  /** Device pixels per pixel: 2 with half the width is a zoom of 200 %. */
  scale?: number;
  /** Origins in addition to the service's own. */
  origins?: string[];
}

/** Opens a page in a user's browser, and records its faults. */
export async function openPage(browser: Browser, origin: string, look: Look = {}): Promise<Watched> {
  const { width = 1440, height = 900, scale = 1, theme = 'light', language = 'en', origins = [] } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: theme,
    locale: language,
    reducedMotion: 'reduce',
  });
  const faults: string[] = [];
  await context.exposeFunction('tellFault', (fault: string) => faults.push(fault));
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      (window as unknown as { tellFault(fault: string): void }).tellFault(
        `policy: ${violatedDirective} ${blockedURI} ${sourceFile}`,
      );
    });
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    if (error.message !== OF_PDFJS) faults.push(`error: ${error.message}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (![origin, ...origins].some((each) => url.startsWith(each)) && !/^(blob|data):/.test(url))
      faults.push(`request: ${url}`);
  });
  return { context, page, faults };
}
