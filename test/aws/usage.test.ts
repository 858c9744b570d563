import { describe, expect, it } from '@jest/globals';
import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import { backgroundWorkDone } from '../../lib/async/after-response.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { recordUsage } from '../../lib/usage/record-usage.ts';
import { sumOf, usesToday } from '../support/uses.ts';
import { connectDynamodb, createTable } from './table.ts';

describe('usage in DynamoDB', () => {
  it('is exact after fifty concurrent increments of a new counter', async () => {
    const client = connectDynamodb('DYNAMODB_URL');
    const records = dynamodbRecords(client, await createTable(client));
    const use = { callerId: 'c', workspaceId: 'w', kind: 'chat' as const };
    for (let call = 0; call < 50; call++)
      recordUsage({ records, clock: systemClock }, use, 'm', { calls: 1, inputTokens: 100 + call });
    for (let waits = 0; waits < 5; waits++) await backgroundWorkDone(); // an emulator may take longer than the entry points wait
    const uses = await usesToday(records);
    expect(uses).toHaveLength(1);
    expect([sumOf(uses, 'calls'), sumOf(uses, 'inputTokens')]).toEqual([50, 50 * 100 + (49 * 50) / 2]);
  });
});
