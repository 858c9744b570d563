import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as yaml from 'js-yaml';
import { readServiceFile } from '../../infra/local/service-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const { resources, queues } = readServiceFile(join(root, 'serverless.yml'));
const { functions } = yaml.load(readFileSync(join(root, 'serverless.yml'), 'utf8')) as {
  functions: Record<string, { role: string; recursiveLoop?: string }>;
};

interface GetAtt {
  'Fn::GetAtt'?: [string, string];
}

interface Statement {
  Action: string | string[];
  Resource: GetAtt | GetAtt[];
}

/** The queues that a function may send to, by the logical IDs of its role's policies. */
function sendsTo(name: string): string[] {
  const role = resources[functions[name]?.role ?? ''];
  const policies: { Ref: string }[] = role?.Properties.ManagedPolicyArns ?? [];
  const statements = policies.flatMap(
    ({ Ref }): Statement[] => resources[Ref]?.Properties.PolicyDocument.Statement ?? [],
  );
  const sending = statements.filter(({ Action }) => [Action].flat().includes('sqs:SendMessage'));
  return sending.flatMap(({ Resource }) => [Resource].flat().flatMap((to) => to['Fn::GetAtt']?.[0] ?? []));
}

const workerOf = new Map(
  queues.flatMap(({ name, worker }) => (worker === undefined ? [] : [[name, worker.function] as const])),
);

/** `IndexQueue` → `index-worker`. */
function workerOfQueue(logicalId: string): string {
  return workerOf.get(logicalId.replace(/Queue$/, '').toLowerCase()) ?? '';
}

function reaches(from: string, to: string, seen = new Set<string>()): boolean {
  return sendsTo(from)
    .map(workerOfQueue)
    .filter((next) => next !== '' && !seen.has(next))
    .some((next) => next === to || reaches(next, to, seen.add(next)));
}

const looping = Object.keys(functions).filter((name) => reaches(name, name));

describe('functions that can call themselves over queues', () => {
  it('are listed', () => {
    expect(looping).toEqual([
      'index-worker',
      'commit-worker',
      'agent-worker',
      'task-worker',
      'dataset-worker',
      'bot-worker',
    ]);
  });

  it("are exactly the functions for which Lambda's loop detection is off", () => {
    const allowed = Object.keys(functions).filter((name) => functions[name]?.recursiveLoop === 'Allow');
    expect(allowed).toEqual(looping);
  });
});

const WORKSPACE = '0196f0a0-0000-7000-8000-000000000000';
const TASK = {
  taskId: WORKSPACE,
  runId: WORKSPACE,
  trigger: 'manual',
  scheduledFor: '2026-01-01T00:00:00.000Z',
};
/**
 * The possible messages of each function, and whether its chain ends with an error message. Otherwise, the
 * message moves to the dead-letter queue.
 */
const MESSAGES: [string, Record<string, unknown>, 'ended' | 'given back'][] = [
  ['index-worker', { kind: 'look', workspaceId: WORKSPACE }, 'given back'],
  ['commit-worker', { kind: 'drop', workspaceId: WORKSPACE }, 'given back'],
  ['agent-worker', { runId: WORKSPACE }, 'ended'],
  ['task-worker', TASK, 'given back'],
  ['dataset-worker', { kind: 'plan', datasetId: WORKSPACE, generation: 1 }, 'ended'],
  ['bot-worker', { kind: 'follow', platform: 'ima', chatId: 'chat' }, 'given back'],
];

describe('endless chain of messages', () => {
  it('has a message for each of those functions', () => {
    expect(MESSAGES.map(([name]) => name)).toEqual(looping);
  });

  const CHAINS = [
    ['that is too long', { hops: 1_000_000, chainSince: 0 }],
    ['that goes round without work', { hops: 300, chainSince: 0 }],
  ] as const;

  it.each(
    MESSAGES.flatMap(([name, message, end]) =>
      CHAINS.map((chain) => [name, ...chain, message, end] as const),
    ),
  )('is ended in %s if it is one %s', async (name, _, carried, message, end) => {
    process.env.DATA_DIR ??= await tempFolder();
    process.env.LOG_LEVEL = 'error';
    const { handler } = (await import(join(root, `functions/${name}/handler.ts`))) as {
      handler(event: SQSEvent, context: { getRemainingTimeInMillis(): number }): Promise<SQSBatchResponse>;
    };
    const record = {
      messageId: 'late',
      body: JSON.stringify({ ...message, ...carried }),
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: '10000' },
      eventSourceARN: 'arn:aws:sqs:local:0:loop',
    };
    const event = { Records: [record] } as unknown as SQSEvent;
    const lines: string[] = [];
    const spy = jest
      .spyOn(process.stdout, 'write')
      .mockImplementation((text) => lines.push(String(text)) > 0);
    const { batchItemFailures } = await handler(event, { getRemainingTimeInMillis: () => 60_000 });
    spy.mockRestore();
    expect(lines.join('')).toMatch(/a chain of (\d+ )?messages/);
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(
      end === 'ended' ? [] : ['late'],
    );
  });
});
