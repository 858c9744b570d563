const TRIED = 'reloaded-for';

/** A tab of an older build requests deleted files: it reloads the page, once for each such file. */
export function reloadOnceForNewBuild(): void {
  addEventListener('vite:preloadError', (event) => {
    const missing = String((event as Event & { payload?: Error }).payload?.message ?? '');
    if (sessionStorage.getItem(TRIED) === missing) return;
    sessionStorage.setItem(TRIED, missing);
    event.preventDefault();
    location.reload();
  });
}
