/** Runs a program with this folder read-only, as EFS does for a client without ClientWrite. */
export function readOnly(folder: string): string[] {
  const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const own = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
  return ['unshare', ...own, 'sh', '-c', script, folder];
}
