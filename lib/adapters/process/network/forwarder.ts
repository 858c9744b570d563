import { quote } from '../shell.ts';

/** Where a sandbox shows the proxy's socket and the forwarder's program. */
const SOCKET = '/.network';
const PROGRAM = '/.forwarder';
/** Outside the range from which the kernel assigns ports. */
const PORT = 61_080;
/** The file descriptor that the forwarder closes once it listens. */
const READY = 4;

/** Returns the mounts for the two files that a forwarder needs. */
export function forwarderMounts(socketPath: string) {
  return [
    { kind: 'file' as const, path: SOCKET, source: socketPath },
    { kind: 'file' as const, path: PROGRAM, source: process.execPath },
  ];
}

/**
 * Connects a port of the sandbox's loopback with the proxy's socket, because few programs can use a socket as
 * a proxy. Closes a file descriptor once it listens, so that the shell can wait for that. Ignores a
 * terminal's signals.
 */
const FORWARD = `
for (const name of ['SIGINT', 'SIGQUIT', 'SIGTSTP', 'SIGHUP']) process.on(name, () => {});
const { connect, createServer } = require('node:net');
createServer({ allowHalfOpen: true }, (inside) => {
  const outside = connect({ path: '${SOCKET}', allowHalfOpen: true });
  for (const [one, other] of [[inside, outside], [outside, inside]])
    one.on('error', () => {}).on('close', () => other.destroy()).pipe(other);
}).listen(${PORT}, '127.0.0.1', () => require('node:fs').closeSync(${READY}));`;

/**
 * Starts the forwarder, but not as a job of this shell, because `wait` in a script would then wait for it.
 */
export const START_FORWARDER = `: "$(${PROGRAM} --max-semi-space-size=1 -e ${quote(FORWARD)} ${READY}>&1 </dev/null >/dev/null 2>&1 3>&- &)"`;

const URL = `http://127.0.0.1:${PORT}`;
const DIRECT = 'localhost,127.0.0.1,::1';

/** The variables by which programs find the proxy. Some read only one of the spellings. */
export const PROXY_ENVIRONMENT = {
  HTTP_PROXY: URL,
  HTTPS_PROXY: URL,
  http_proxy: URL,
  https_proxy: URL,
  NO_PROXY: DIRECT,
  no_proxy: DIRECT,
  NODE_USE_ENV_PROXY: '1',
};
