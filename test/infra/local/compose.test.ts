import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { load } from 'js-yaml';

interface Container {
  image: string;
  ports: string[];
  volumes: string[];
  command?: string[];
}

const root = resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
const { services, volumes } = load(read('infra/local/compose.yml')) as {
  services: Record<string, Container>;
  volumes: Record<string, null>;
};

it('compose.yml starts the versions that the tests start, on loopback only', () => {
  const versionOf = (server: string) => /VERSION = '(.*)'/.exec(read(`test/lanes/servers/${server}.ts`))?.[1];
  expect(Object.values(services).map(({ image, ports }) => [image, ...ports])).toEqual([
    [`localstack/localstack:${versionOf('localstack')}`, '127.0.0.1:4566:4566'],
    [`amazon/dynamodb-local:${versionOf('dynamodb-local')}`, '127.0.0.1:8000:8000'],
  ]);
});

it('compose.yml keeps the records in a named volume', () => {
  const { command = [], volumes: mounts } = services.dynamodb as Container;
  const folder = command[command.indexOf('-dbPath') + 1];
  expect(mounts).toEqual([`dynamodb:${folder}`]);
  expect(Object.keys(volumes)).toContain('dynamodb');
});
