import { CORE_SCHEMA, loadAll } from 'js-yaml';
import * as z from 'zod';
import { InvalidInput } from '../../errors.ts';
import type { ClusterObject } from '../../ports/cluster.ts';

/** No aliases: a few lines could stand for gigabytes. */
const LIMITS = { schema: CORE_SCHEMA, maxAliases: 0, maxDepth: 60 };
/** A person reads no more than this before approving them. */
const MAX_OBJECTS = 10;

const dnsName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'must be a DNS name');

const objectSchema = z.looseObject({
  apiVersion: z.string().max(200),
  kind: z.string().max(100),
  metadata: z.looseObject({
    name: dnsName,
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});

/** The objects of a YAML text, each in this namespace. Throws InvalidInput, which says what is wrong, never the text. */
export function readObjects(text: string, namespace: string): ClusterObject[] {
  const documents = parseYaml(text).filter((document) => document !== null && document !== undefined);
  if (documents.length === 0) throw new InvalidInput('invalid_value', 'manifest: it holds no object');
  if (documents.length > MAX_OBJECTS)
    throw new InvalidInput(
      'invalid_value',
      `manifest: it holds more than ${MAX_OBJECTS} objects: apply fewer at once`,
    );
  return documents.map((document, index) => readObject(document, namespace, index));
}

function parseYaml(text: string): unknown[] {
  try {
    return loadAll(text, LIMITS);
  } catch (error) {
    const { mark } = error as { mark?: { line: number } };
    const place = mark === undefined ? '' : ` (line ${mark.line + 1})`;
    throw new InvalidInput('invalid_value', `manifest: it is not YAML without aliases${place}`);
  }
}

function readObject(document: unknown, namespace: string, index: number): ClusterObject {
  const parsed = objectSchema.safeParse(document);
  if (!parsed.success) {
    const { path = [], message = '' } = parsed.error.issues[0] ?? {};
    throw new InvalidInput(
      'invalid_value',
      `manifest: object ${index + 1}: ${path.join('.') || 'it'}: ${message}`,
    );
  }
  const object = parsed.data;
  if (object.metadata.namespace !== undefined && object.metadata.namespace !== namespace)
    throw new InvalidInput(
      'invalid_value',
      `manifest: object ${index + 1} is for another namespace than ${namespace}`,
    );
  return { ...object, metadata: { ...object.metadata, namespace } };
}
