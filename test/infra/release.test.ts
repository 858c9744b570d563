import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openApiText } from '../../infra/openapi.ts';
import packageFile from '../../package.json' with { type: 'json' };
import lockFile from '../../package-lock.json' with { type: 'json' };
import { startService } from '../support/service.ts';

const { version } = packageFile;

/** `## [1.0.0-rc.1] - 2026-11-29`, newest first, below `## [Unreleased]`. */
function readChangelog(): { titles: string[]; releases: { version: string; date: string }[] } {
  const text = readFileSync(resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const titles = [...text.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
  const releases = titles.slice(1).map((title) => {
    const [, version = '', date = ''] =
      /^\[(\d+\.\d+\.\d+(?:-rc\.\d+)?)\] - (\d{4}-\d{2}-\d{2})$/.exec(title) ?? [];
    return { version, date };
  });
  return { titles, releases };
}

describe('version in package.json', () => {
  it('is the version of the lock file, in both places', () => {
    expect([lockFile.version, lockFile.packages[''].version]).toEqual([version, version]);
  });

  it('is the version of the OpenAPI document', () => {
    expect(JSON.parse(openApiText())).toMatchObject({ info: { version } });
  });

  it('is reported by the running service, in /api/health and in its OpenAPI document', async () => {
    const service = await startService();
    const health = await service.call('GET', '/api/health');
    expect(health).toMatchObject({ status: 200, body: { status: 'ok', version } });
    expect((await service.call('GET', '/api/openapi.json')).body).toMatchObject({ info: { version } });
  });

  it('is served in an unindented document, because indentation would double every API page', async () => {
    const service = await startService();
    const text = await (await fetch(`${service.url}/api/openapi.json`)).text();
    expect(text.trimEnd()).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('is the newest release of the changelog', () => {
    expect(readChangelog().releases[0]?.version).toBe(version);
  });
});

describe('changelog', () => {
  it('starts with the unreleased changes, followed by dated releases, newest first', () => {
    const { titles, releases } = readChangelog();
    expect(titles[0]).toBe('[Unreleased]');
    expect(releases.every(({ version }) => version !== '')).toBe(true);
    const days = releases.map(({ date }) => date);
    expect(days).toEqual(days.toSorted().reverse());
  });
});
