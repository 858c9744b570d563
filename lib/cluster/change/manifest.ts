import { CORE_SCHEMA, loadAll } from 'js-yaml';
import * as z from 'zod';
import { InvalidInput } from '../../errors.ts';
import type { ClusterObject } from '../../ports/cluster.ts';

/** Forbids aliases, with which a few lines could expand to gigabytes. */
const LIMITS = { schema: CORE_SCHEMA, maxAliases: 0, maxDepth: 60 };
/** The maximum number of objects that a person can review before approving them. */
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

/**
 * Reads the objects of a YAML text, all of them in this namespace. Throws InvalidInput with the problem, but
 * never quotes the text.
 */
export function readObjects(text: string, namespace: string): ClusterObject[] {
  const documents = parseYaml(text).filter((document) => document !== null && document !== undefined);
  if (documents.length === 0)
    throw new InvalidInput('manifest_invalid', 'manifest must contain an object.', { field: 'manifest' });
  if (documents.length > MAX_OBJECTS)
    throw new InvalidInput(
      'manifest_invalid',
      `manifest can contain at most ${MAX_OBJECTS} objects. Apply fewer at once.`,
      { field: 'manifest' },
    );
  return documents.map((document, index) => readObject(document, namespace, index));
}

function parseYaml(text: string): unknown[] {
  try {
    return loadAll(text, LIMITS);
  } catch (error) {
    const { mark } = error as { mark?: { line: number } };
    const place = mark === undefined ? '' : ` (line ${mark.line + 1})`;
    throw new InvalidInput('manifest_invalid', `manifest must be YAML without aliases${place}.`, {
      field: 'manifest',
    });
  }
}

function readObject(document: unknown, namespace: string, index: number): ClusterObject {
  const parsed = objectSchema.safeParse(document);
  if (!parsed.success) {
    const { path = [], message = '' } = parsed.error.issues[0] ?? {};
    throw new InvalidInput(
      'manifest_invalid',
      `manifest is invalid in object ${index + 1}, at ${path.join('.') || 'its top level'}: ${message}`,
      { field: 'manifest' },
    );
  }
  const object = parsed.data;
  if (object.metadata.namespace !== undefined && object.metadata.namespace !== namespace)
    throw new InvalidInput(
      'manifest_invalid',
      `manifest has an object for another namespace than ${namespace}: object ${index + 1}.`,
      { field: 'manifest' },
    );
  return { ...object, metadata: { ...object.metadata, namespace } };
}
