import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../infra/local/service-file.ts';

const root = resolve(import.meta.dirname, '../..');
const { resources } = readServiceFile(join(root, 'serverless.yml'));

interface Rule {
  Id: string;
  Status: string;
  Prefix?: string;
  ExpirationInDays?: number;
  NoncurrentVersionExpiration?: { NoncurrentDays: number };
  ExpiredObjectDeleteMarker?: boolean;
}
const bucket = resources.Bucket?.Properties as {
  VersioningConfiguration?: { Status: string };
  LifecycleConfiguration: { Rules: Rule[] };
};
const rules = bucket.LifecycleConfiguration.Rules.filter(({ Status }) => Status === 'Enabled');

/** The prefixes that the functions' roles may use, and so all existing prefixes. */
const PREFIXES = new Set(
  [...readFileSync(join(root, 'infra/iam.yml'), 'utf8').matchAll(/\$\{Bucket\.Arn\}\/(\w+\/)\*/g)].map(
    ([, prefix = '']) => prefix,
  ),
);
/** S3 applies the earliest of rules that expire the same object. */
const keptOldDays = (prefix: string) =>
  Math.min(
    ...rules
      .filter((rule) => prefix.startsWith(rule.Prefix ?? ''))
      .map((rule) => rule.NoncurrentVersionExpiration?.NoncurrentDays ?? Number.POSITIVE_INFINITY),
  );

describe('bucket', () => {
  it('keeps deleted and replaced objects as long as backups if there is no other copy', () => {
    expect(bucket.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    const kept = Object.fromEntries([...PREFIXES].map((prefix) => [prefix, keptOldDays(prefix)]));
    expect(kept).toEqual({
      'attachments/': 35,
      'commands/': 1,
      'datasets/': 35,
      'extracts/': 1,
      'queue/': 1,
      'runs/': 1,
      'uploads/': 1,
      'vectors/': 1,
    });
  });

  it('removes delete markers when no version is left', () => {
    expect(rules.filter((rule) => rule.ExpiredObjectDeleteMarker)).toMatchObject([{ Id: 'deleted' }]);
    for (const { ExpiredObjectDeleteMarker, ExpirationInDays } of rules)
      expect([ExpiredObjectDeleteMarker, ExpirationInDays]).toContain(undefined);
  });

  it('is documented', () => {
    const read = (page: string) => readFileSync(join(root, 'docs', page), 'utf8').replace(/\s+/g, ' ');
    expect(read('reference/limits.md')).toContain(
      `Deleted attachments on AWS | ${keptOldDays('attachments/')} days`,
    );
    expect(read('operate/backup-and-restore.md')).toContain(`kept ${keptOldDays('attachments/')} days`);
  });
});
