import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tempFolder, whenDone } from '../temp-folder.ts';
import { startConnectProxy } from './connect-proxy.ts';
import { makeCertificate } from './git-server.ts';

export interface PaperHost {
  /** The content at a URL, such as `https://arxiv.org/pdf/2401.00001`. */
  files: Map<string, { contentType: string; bytes: Buffer }>;
  /** The default response of a host. */
  listeners: Map<string, RequestListener>;
  /** Requested URLs, in order. */
  asked: string[];
  /** Its certificate, which is its own authority. */
  caFile: string;
  /** The variables with which a service reaches it by its names. */
  environment: Record<string, string>;
}

/**
 * Starts the hosts of papers, over HTTPS behind a proxy that knows no other host. Ended after the test file.
 */
export async function startPaperHost(names: string[]): Promise<PaperHost> {
  const { caFile, keyFile } = await makeCertificate(await tempFolder(), ...names);
  const host: PaperHost = { files: new Map(), listeners: new Map(), asked: [], caFile, environment: {} };
  const server = createServer(
    { cert: await readFile(caFile), key: await readFile(keyFile) },
    (request, response) => {
      const listener = host.listeners.get(request.headers.host ?? '');
      if (listener !== undefined) return void listener(request, response);
      const address = `https://${request.headers.host}${request.url}`;
      host.asked.push(address);
      const file = host.files.get(address);
      if (file === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': file.contentType }).end(file.bytes);
    },
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const proxy = await startConnectProxy((server.address() as AddressInfo).port);
  host.environment = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: caFile };
  return host;
}
