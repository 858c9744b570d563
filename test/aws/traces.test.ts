import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { pathOf, startFakeCollector } from '../support/fakes/fake-collector.ts';
import { createWorkspace, eventually, syncWorkspace } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { newStage, startAwsHost } from './host.ts';

it('trace spans a request, SQS, and the commit', async () => {
  const [collector, root] = [await startFakeCollector(), await tempFolder()];
  await mkdir(join(root, 'library'));
  await writeFile(join(root, 'library/a.md'), 'owls');
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    DATA_DIR: await tempFolder(),
    WORKSPACE_ROOTS: root,
  };
  const host = await startAwsHost(newStage(), env);
  await syncWorkspace(host, await createWorkspace(host, 'library'));
  const pathOfWrite = () =>
    collector.spans
      .filter(({ name }) => name === 'vectors write')
      .flatMap((span) => pathOf(collector.spans, span));
  const begun = (path: string[]) => path[0] === 'POST /api/workspaces/{workspaceId}/sync';
  const path = await eventually(async () => pathOfWrite(), begun, 15_000);
  expect(path.slice(-3)).toEqual(['send commit', 'handle commit', 'vectors write']);
  await host.stop();
}, 120_000);
