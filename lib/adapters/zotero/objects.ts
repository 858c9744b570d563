import * as z from 'zod';
import { MAX_OBJECT_BYTES, type SourceObject } from '../../ports/file-source.ts';
import { noteMarkdown } from './note-markdown.ts';

const MAX_NAME = 500;
const MAX_LISTED = 100;

/** The only form of a key. It becomes a part of URLs. */
const keySchema = z.string().regex(/^[A-Z0-9]{8}$/);
const name = z.string().transform((text) => text.slice(0, MAX_NAME).toWellFormed());
const optionalName = name.optional().catch(undefined);
const optionalKey = keySchema.optional().catch(undefined);
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item.or(z.null()).catch(null)).transform((items) => items.slice(0, MAX_LISTED).filter(isThere));

function isThere<Item>(item: Item): item is NonNullable<Item> {
  return item !== null && item !== undefined;
}

const creatorSchema = z.object({ firstName: optionalName, lastName: optionalName, name: optionalName });
const isTrashed = z
  .union([z.literal(1), z.literal(true)])
  .transform(() => true)
  .optional()
  .catch(undefined);

/** The fields of an item or a collection that its files need. */
const dataSchema = z.object({
  itemType: optionalName,
  parentItem: optionalKey,
  deleted: isTrashed,
  title: optionalName,
  creators: listOf(creatorSchema).optional().catch(undefined),
  date: optionalName,
  DOI: optionalName,
  tags: listOf(z.object({ tag: name }))
    .optional()
    .catch(undefined),
  collections: listOf(keySchema).optional().catch(undefined),
  linkMode: optionalName,
  filename: optionalName,
  contentType: optionalName,
  md5: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
  /** A note's text as Markdown. Null if it is too long. */
  note: z.string().nullable().optional(),
  name: optionalName,
  parentCollection: optionalKey,
});
export type ZoteroData = z.infer<typeof dataSchema>;

const objectSchema = z.object({ key: keySchema, data: z.record(z.string(), z.unknown()) });

/** Returns an item or a collection as it is stored; undefined for one without a valid key. */
export function readObject(value: unknown): SourceObject | undefined {
  const object = objectSchema.safeParse(value).data;
  if (object === undefined) return undefined;
  const { note } = object.data;
  const text = typeof note === 'string' ? noteMarkdown(note) : undefined;
  const data = dataSchema.safeParse({ ...object.data, note: text }).data;
  if (data === undefined) return undefined;
  const json = JSON.stringify(data);
  return { key: object.key, json: isStorable(json) ? json : JSON.stringify({ ...data, note: null }) };
}

function isStorable(json: string): boolean {
  return Buffer.byteLength(json) <= MAX_OBJECT_BYTES;
}

export function parseObject({ json }: SourceObject): ZoteroData {
  return dataSchema.parse(JSON.parse(json));
}
