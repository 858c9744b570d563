import { isReached, untilReached } from './reach.ts';

const TRIED = 'reloaded-for';

/**
 * Fetches a part of the page. If the service is unreachable, waits for it without reloading the page, because
 * a reload would show the browser's error page. If the service is reachable but lacks the file, this tab
 * comes from an older build, and reloads once per file.
 */
export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await load();
    } catch (error) {
      if (await isReached()) return reloadFor(error as Error, hasWaited);
      await untilReached();
    }
  }
}

/**
 * Reloads the page. A browser may remember that a file failed, so after an outage, only a reload fetches it
 * again.
 */
function reloadFor(error: Error, hasWaited: boolean): Promise<never> {
  if (!hasWaited && sessionStorage.getItem(TRIED) === error.message) throw error;
  sessionStorage.setItem(TRIED, error.message);
  location.reload();
  return new Promise(() => {});
}
