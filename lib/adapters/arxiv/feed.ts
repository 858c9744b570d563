import { XMLParser } from 'fast-xml-parser';
import * as z from 'zod';
import { isBoundedXml } from '../../validation/bounded-xml.ts';

/** Everything is text: `parseTagValue` would make 1605.1 a number. Numeric entities need `htmlEntities`. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  htmlEntities: true,
  parseTagValue: false,
  isArray: (name) => ['entry', 'author', 'link'].includes(name),
});

/** An element with attributes is an object, and one without content is ''. */
const text = z.union([z.string(), z.object({ '#text': z.string() }).transform((node) => node['#text'])]);

const entrySchema = z
  .object({
    id: text,
    title: text.default(''), // arXiv has left it out
    summary: text.default(''),
    published: text.nullish(),
    author: z.array(z.object({ name: text.default('') })).default([]),
    link: z
      .array(
        z.object({
          href: z.string(),
          rel: z.string().optional(),
          title: z.string().optional(),
          type: z.string().optional(),
        }),
      )
      .default([]),
    doi: text.nullish(),
  })
  .transform(({ id, title, summary, published, author, link, doi }) => ({
    id,
    title,
    summary,
    published: published ?? null,
    authors: author.map(({ name }) => name),
    links: link,
    doi: doi ?? null,
  }));
export type FeedEntry = z.output<typeof entrySchema>;

const feedSchema = z.object({
  feed: z.object({ totalResults: text.optional(), entry: z.array(entrySchema).default([]) }),
});

/** An Atom feed as arXiv writes it; undefined when it is none, or would block the event loop. */
export function readFeed(xml: string): { total: number; entries: FeedEntry[] } | undefined {
  const { feed } = feedSchema.safeParse(parse(xml)).data ?? {};
  if (feed === undefined) return undefined;
  return { total: Number(feed.totalResults ?? feed.entry.length) || 0, entries: feed.entry };
}

function parse(xml: string): unknown {
  if (!isBoundedXml(xml)) return undefined;
  try {
    return parser.parse(xml, true);
  } catch {
    return undefined;
  }
}
