import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import { closing, emulatorSettings } from '../support/emulator.ts';
import { type FakeOpenai, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { dumpIndexOf } from '../support/index-dump.ts';
import { writeNotes } from '../support/samples/notes-tree.ts';
import type { Service } from '../support/service.ts';
import { createWorkspace, syncWorkspace, waitForSync } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { newStage, startAwsHost } from './host.ts';

const KILLS = Number(process.env.KILLS ?? 4);
const FILES = 300;

describe('two hosts with the same AWS resources, killed at random during syncs', () => {
  let provider: FakeOpenai;
  const stage = newStage();
  let environment: Record<string, string>;

  beforeAll(async () => {
    provider = await startFakeOpenai();
    const root = await tempFolder();
    environment = {
      DATA_DIR: await tempFolder(),
      WORKSPACE_ROOTS: root,
      EMBEDDING_BASE_URL: provider.url,
    };
    await writeNotes(join(root, 'calm'), FILES);
    await cp(join(root, 'calm'), join(root, 'tree'), { recursive: true });
  });
  afterAll(() => provider.stop());

  it(
    `lose nothing and do nothing twice (${KILLS} kills)`,
    async () => {
      const hosts = [await startHost(), await startHost()];
      const calm = await createWorkspace(anyOf(hosts), 'calm');
      await syncWorkspace(anyOf(hosts), calm);
      const tree = await createWorkspace(anyOf(hosts), 'tree');
      await anyOf(hosts).call('POST', `/api/workspaces/${tree}/sync`);
      for (let kills = 0; kills < KILLS; kills++) {
        await sleep(Math.random() * 500);
        await hosts.shift()?.kill();
        hosts.push(await startHost());
      }
      const state = await waitForSync(anyOf(hosts), tree, 120_000);
      expect(state).toMatchObject({ status: 'ready', failedCount: 0, done: FILES });
      await syncWorkspace(anyOf(hosts), tree);
      await Promise.all(hosts.map((host) => host.stop()));
      const expected = await dump(calm);
      expect(expected.rows.length).toBeGreaterThan(FILES);
      expect(await dump(tree)).toEqual(expected);
    },
    180_000 + KILLS * 10_000,
  );

  const startHost = () => startAwsHost(stage, environment);
  const anyOf = (hosts: Service[]) => hosts.at(-1) as Service;

  function dump(workspaceId: string) {
    const client = closing(new DynamoDBClient(emulatorSettings('DYNAMODB_URL')));
    const records = dynamodbRecords(client, `workspace-research-${stage.STAGE}`);
    return dumpIndexOf(records, join(environment.DATA_DIR ?? '', 'vectors'), workspaceId);
  }
});
