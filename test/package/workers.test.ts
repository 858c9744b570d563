import { beforeAll, describe, expect, it } from '@jest/globals';
import { packagedWorker } from '../lanes/packaged-service.ts';
import { type Deployment, deploy } from './deployment.ts';
import { invokeWorker, sqsRecord } from './queue-pump.ts';

const POISON = 'not JSON';
/** A message of a deleted workspace needs no work, which counts as success. */
const touch = JSON.stringify({ kind: 'touch', workspaceId: 'gone', paths: ['a.txt'] });
const drop = JSON.stringify({ kind: 'drop', workspaceId: 'gone' });

let deployment: Deployment;
beforeAll(async () => {
  deployment = await deploy();
}, 120_000);

describe('the packaged workers', () => {
  it.each(['IndexQueue', 'TouchQueue', 'CommitQueue', 'MaintainQueue', 'UploadQueue'])(
    'of %s report failures per message',
    (queueId) => {
      expect(packagedWorker(queueId).reportsItems).toBe(true);
    },
  );

  it('return only the poison message for a retry', async () => {
    const records = [sqsRecord('good', touch), sqsRecord('poisoned', POISON), sqsRecord('good too', touch)];
    expect((await invokeWorker(deployment, 'index-worker', records)).failed).toEqual(['poisoned']);
  });

  it('return only the poison message of a FIFO group for a retry', async () => {
    const group = { MessageGroupId: 'gone' };
    const records = [sqsRecord('1', drop, group), sqsRecord('2', POISON, group), sqsRecord('3', drop, group)];
    expect((await invokeWorker(deployment, 'commit-worker', records)).failed).toEqual(['2']);
  });

  it('return messages that are not bucket notifications', async () => {
    const records = [sqsRecord('1', JSON.stringify({ Records: 'none' }))];
    expect((await invokeWorker(deployment, 'upload-worker', records)).failed).toEqual(['1']);
  });

  it('run a scheduler tick without failing', async () => {
    const { error } = await (await deployment.instance('scheduler')).invoke({});
    expect(error).toBeUndefined();
  });
});
