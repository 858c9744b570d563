import { HOST, type ProxyName } from '../servers/reverse-proxies.ts';

export interface Careless {
  name: string;
  proxy: ProxyName;
  configuration: string;
  /** The account of nginx's workers, which is www-data on Debian. */
  user: 'root' | 'www-data';
}

const TLS = 'listen 443 ssl; ssl_certificate x; ssl_certificate_key x;';

function nginx(name: string, lines: string, user: Careless['user'] = 'root'): Careless {
  const configuration = `server {\n${TLS.replaceAll('; ', ';\n')}\nlocation / { proxy_pass http://127.0.0.1:3000; ${lines} }\n}`;
  return { name: `nginx, ${name}`, proxy: 'nginx', configuration, user };
}

function caddy(name: string, lines: string): Careless {
  const configuration = `${HOST} {\n  reverse_proxy 127.0.0.1:3000 {\n${lines}\n  }\n}\n`;
  return { name: `Caddy, ${name}`, proxy: 'Caddy', configuration, user: 'root' };
}

const MODERN = 'proxy_http_version 1.1; proxy_set_header Connection "";';

/** Proxies as people set them up without reading the docs, in front of a service without sign-in. */
export const CARELESS: Careless[] = [
  nginx('the default', ''),
  nginx("the default, as Debian's account", '', 'www-data'),
  nginx('HTTP/1.1 without a header', MODERN, 'www-data'),
  nginx('HTTP/1.1 with its own Host', `${MODERN} proxy_set_header Host $host;`),
  nginx('HTTP/1.1 with a loopback Host and X-Real-IP', `${MODERN} proxy_set_header X-Real-IP $remote_addr;`),
  nginx(
    'HTTP/1.1 with X-Forwarded-For',
    `${MODERN} proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`,
  ),
  nginx('HTTP/1.1 with only the scheme', `${MODERN} proxy_set_header X-Scheme $scheme;`),
  nginx(
    'HTTP/1.1 without Origin and Referer',
    `${MODERN} proxy_set_header Origin ""; proxy_set_header Referer "";`,
    'www-data',
  ),
  caddy('the default', ''),
  caddy('a loopback Host', '    header_up Host 127.0.0.1'),
  caddy(
    'a loopback Host without forwarding headers but the host',
    '    header_up Host 127.0.0.1\n    header_up -X-Forwarded-For\n    header_up -X-Forwarded-Proto',
  ),
];
