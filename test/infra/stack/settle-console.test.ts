import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { answerPage } from '../../../infra/local/page.ts';
import type { PageFile } from '../../../infra/local/page-files.ts';
import { pageHeaders } from '../../../infra/local/page-headers.ts';
import { readServiceFile } from '../../../infra/local/service-file.ts';
import { settleConsole } from '../../../infra/stack/settle-console.ts';
import type { Template } from '../../../infra/stack/template.ts';
import { EVENT_STREAM_HEADERS } from '../../../lib/http/event-stream.ts';
import { addressBy, headersOfPolicy, startCloudfront } from '../../support/fakes/fake-cloudfront.ts';
import { serveUntilDone } from '../../support/processes/serve-until-done.ts';

const FILES = ['/index.html', '/icon.svg', '/assets/app-1a2b.js'];

function settled(OIDC_ISSUER = '', OIDC_ORIGINS = ''): Template['Resources'] {
  const { resources } = readServiceFile(join(resolve(import.meta.dirname, '../../..'), 'serverless.yml'));
  const { ConsoleHeaders, ConsoleAddresses, ConsoleDistribution } = resources as Template['Resources'];
  const Resources = structuredClone({ ConsoleHeaders, ConsoleAddresses, ConsoleDistribution });
  settleConsole({ Resources } as Template, FILES, {
    console: 'on',
    service: { OIDC_ISSUER, OIDC_CLIENT_ID: 'console', OIDC_ORIGINS },
  });
  return Resources as Template['Resources'];
}

const resources = settled();
/** On AWS, pages send large uploads to this bucket. */
const BUCKET = 'https://bucket.s3.here.amazonaws.com';
const { DistributionConfig: config } = resources.ConsoleDistribution?.Properties ?? {};
const [assets, api, wellKnown] = config.CacheBehaviors;

describe('the headers of the page behind CloudFront', () => {
  const headersWith = (issuer?: string) => {
    const { ConsoleHeaders } = settled(issuer);
    return headersOfPolicy(ConsoleHeaders as NonNullable<typeof ConsoleHeaders>);
  };

  it('are the headers of a single host, plus TLS', () => {
    const { 'strict-transport-security': tls, ...others } = headersWith();
    expect(others).toEqual(pageHeaders([BUCKET]));
    expect(tls).toBe('max-age=31536000');
  });

  it('let the page connect only to the upload bucket and the login issuer', () => {
    const { 'content-security-policy': policy } = headersWith('https://login.example.org/realm/');
    expect(policy).toContain(`; connect-src 'self' ${BUCKET} https://login.example.org;`);
    expect(policy).toBe(pageHeaders([BUCKET, 'https://login.example.org'])['content-security-policy']);
    expect(headersWith()['content-security-policy']).toContain(`; connect-src 'self' ${BUCKET};`);
    expect(pageHeaders()['content-security-policy']).toContain("; connect-src 'self';");
  });

  it('override the headers of an object in the bucket', () => {
    const { SecurityHeadersConfig, CustomHeadersConfig } =
      resources.ConsoleHeaders?.Properties.ResponseHeadersPolicyConfig ?? {};
    const all: { Override: boolean }[] = [
      ...Object.values(SecurityHeadersConfig),
      ...CustomHeadersConfig.Items,
    ] as never;
    expect(all.map(({ Override }) => Override)).toEqual(all.map(() => true));
    expect(all).toHaveLength(9);
  });

  it('are set on the page and its files, but not on the API, which sends its own', () => {
    const policies = [config.DefaultCacheBehavior, assets, api, wellKnown].map(
      (own) => own.ResponseHeadersPolicyId,
    );
    expect(policies).toEqual([{ Ref: 'ConsoleHeaders' }, { Ref: 'ConsoleHeaders' }, undefined, undefined]);
  });
});

describe('the CloudFront function for paths', () => {
  const file = (path: string) =>
    ({ type: path, immutable: false, etag: path, bytes: { identity: Buffer.from(path) } }) as PageFile;
  const files = new Map(FILES.map((path) => [path, file(path)]));

  it.each([
    '/',
    '/index.html',
    '/icon.svg',
    '/w/1/chat',
    '/w/1/files/notes.md',
    '/settings',
    '/apis',
    '/.vite/manifest.json',
  ])('maps %s to the same file as a single host', async (path) => {
    const url = await serveUntilDone(
      createServer((request, response) => {
        if (
          !answerPage({ files: () => files, headers: {} }, request, response, new URL(path, 'http://local'))
        )
          response.writeHead(404).end();
      }),
    );
    const here = await (await fetch(url)).text();
    expect(addressBy(resources.ConsoleAddresses as never, path)).toBe(here);
  });

  it('uses no modules, classes, destructuring, or spreads, which CloudFront’s JavaScript lacks', () => {
    const source: string = resources.ConsoleAddresses?.Properties.FunctionCode;
    expect(source).not.toMatch(/\b(import|export|class|require)\b|const [[{]|\(\{|\.\.\./);
    expect(source.length).toBeLessThan(10_240);
  });

  it('runs only for the page, so that a missing build file or API route stays a 404', () => {
    const associations = [config.DefaultCacheBehavior, assets, api, wellKnown].map(
      (own) => own.FunctionAssociations?.length ?? 0,
    );
    expect(associations).toEqual([1, 0, 0, 0]);
    const pages = config.CustomErrorResponses.filter((own: object) => 'ResponsePagePath' in own);
    expect(pages).toEqual([]);
  });
});

describe('the API behind CloudFront', () => {
  it('receives every method and every header except the host, over TLS, uncached and uncompressed', () => {
    expect([api.PathPattern, wellKnown.PathPattern]).toEqual(['/api/*', '/.well-known/*']);
    for (const own of [api, wellKnown])
      expect(own).toMatchObject({
        TargetOriginId: 'api',
        ViewerProtocolPolicy: 'https-only',
        AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE'],
        Compress: false,
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      });
  });

  it('has no cached error, although CloudFront caches errors for 10 s by default', () => {
    const codes = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];
    expect(config.CustomErrorResponses).toEqual(
      codes.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });

  it('may be silent for longer than its streams ever are, and may stream without a limit', () => {
    const origin = config.Origins.find(({ Id }: { Id: string }) => Id === 'api');
    expect(origin.CustomOriginConfig).toMatchObject({
      OriginProtocolPolicy: 'https-only',
      OriginReadTimeout: 60,
    });
    expect(origin.ResponseCompletionTimeout).toBeUndefined();
  });
});

describe('the shared origin for the browser', () => {
  let url: string;
  let finish: () => void;
  beforeAll(async () => {
    const page = await serveUntilDone(
      createServer((request, response) => {
        const found = FILES.includes(request.url ?? '');
        response.writeHead(found ? 200 : 404, { 'cache-control': 'from the bucket' }).end(request.url);
      }),
    );
    const service = await serveUntilDone(
      createServer((request, response) => {
        if (request.url === '/dev/api/health')
          return response.writeHead(404, { 'x-own': 'yes' }).end('{"error":"none"}');
        const { authorization = '', host = '' } = request.headers;
        response
          .writeHead(200, EVENT_STREAM_HEADERS)
          .write(`data: ${request.method} ${request.url} ${authorization}\n\n`);
        finish = () => response.end(`data: ${host === new URL(url).host}\n\n`);
      }),
    );
    const origins = { page: (path: string) => page + path, api: (path: string) => service + path };
    url = await startCloudfront(resources, origins);
  });

  it.each([
    ['/', 200, '/index.html'],
    ['/w/1/files/a.md', 200, '/index.html'],
    ['/icon.svg', 200, '/icon.svg'],
    ['/assets/app-1a2b.js', 200, '/assets/app-1a2b.js'],
    ['/assets/app-old.js', 404, '/assets/app-old.js'],
  ])('answers %s with %i, %s, and the headers of the page', async (path, status, text) => {
    const answer = await fetch(url + path);
    expect([answer.status, await answer.text()]).toEqual([status, text]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...pageHeaders([BUCKET]),
      'cache-control': 'from the bucket',
    });
  });

  it('leaves the error responses of the API and their headers unchanged', async () => {
    const answer = await fetch(`${url}/api/health`);
    expect([answer.status, await answer.text()]).toEqual([404, '{"error":"none"}']);
    expect(answer.headers.get('x-own')).toBe('yes');
    expect(answer.headers.get('content-security-policy')).toBeNull();
  });

  it('forwards a running stream, with the credential and without the host header', async () => {
    const headers = { authorization: 'Bearer wrs_x' };
    const answer = await fetch(`${url}/api/chat?q=1`, { method: 'POST', headers, body: '{}' });
    const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('data: POST /dev/api/chat?q=1 Bearer wrs_x\n\n');
    await setImmediate();
    finish();
    expect((await reader.read()).value).toBe('data: false\n\n');
    expect((await reader.read()).done).toBe(true);
  });

  it('accepts only read requests for the page', async () => {
    expect((await fetch(`${url}/settings`, { method: 'POST', body: '' })).status).toBe(403);
  });
});
