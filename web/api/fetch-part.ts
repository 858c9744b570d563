import { isReached, untilReached } from './reach.ts';

const TRIED = 'reloaded-for';

/**
 * Fetches a part of the page. While the service isn't reached, the part is waited for, and the page stays: reloading it then
 * would leave the browser's error page. If the service is reached and lacks the file, this tab is of an older build and reloads,
 * once per file.
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

/** A browser may remember that a file failed: after an outage, only a reload asks for it again. */
function reloadFor(error: Error, hasWaited: boolean): Promise<never> {
  if (!hasWaited && sessionStorage.getItem(TRIED) === error.message) throw error;
  sessionStorage.setItem(TRIED, error.message);
  location.reload();
  return new Promise(() => {});
}
