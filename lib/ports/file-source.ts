import type { ErrorCode } from '../error-codes.ts';

/** Error codes of a request to a source of files. */
export const FILE_SOURCE_ERRORS = [
  'source_access_denied',
  'source_failed',
  'source_too_large',
  'source_unreachable',
] as const satisfies ErrorCode[];

/**
 * A place outside of the workspace whose files are copied into it. Everything that it returns is untrusted: the caller
 * makes paths of the names, and limits and checks the bytes.
 */
export interface RemoteSource {
  /** The number of requests so far. */
  readonly requests: number;
  /**
   * Lists the objects that changed after a position, or all of them for null. Throws ServiceErrors with
   * FILE_SOURCE_ERRORS, also if the source keeps changing while it is listed, and for a list that may lack objects.
   */
  changes(position: string | null, options: { signal: AbortSignal }): Promise<SourceChanges>;
  /** Returns the files that all objects together describe, with their folders. A pure function. */
  filesOf(objects: SourceObject[]): SourceFile[];
  /** Returns the bytes of a file without a `text`. Throws like `changes`. */
  open(file: SourceFile, options: { signal: AbortSignal }): Promise<AsyncIterable<Uint8Array>>;
}

/** What a source says about one of its objects, in the source's own form. */
export interface SourceObject {
  key: string;
  /** JSON, at most MAX_OBJECT_BYTES. */
  json: string;
}

/** The maximum bytes of an object, which is stored as a record. */
export const MAX_OBJECT_BYTES = 300 * 1024;
/** The maximum number of objects of a source. More aren't read, so that a list without an end ends. */
export const MAX_OBJECTS = 50_000;

export interface SourceChanges {
  /** The position of the next listing, which the same source made and reads. */
  position: string;
  /** True if `objects` are all objects, so that missing ones no longer exist. */
  isWhole: boolean;
  objects: SourceObject[];
  /** Keys of objects that no longer exist. */
  removed: string[];
}

export interface SourceFile {
  /** Identifies the file within its source, whatever its name is. */
  id: string;
  /** Names as the source has them, so they may contain anything. */
  folders: string[];
  name: string;
  /** Changes with the contents. */
  version: string;
  /** The contents, if the list of objects has them. */
  text?: string | undefined;
  /** The MD5 of the contents, in hexadecimal, if the source has one. */
  md5?: string | undefined;
  /** Set if the contents can't be fetched. */
  problem?: 'kind' | 'missing' | 'size' | undefined;
  facts: SourceFacts;
}

/** The facts of a document that its source states. */
export interface SourceFacts {
  /** The web page of the file at its source. */
  url: string;
  title?: string | undefined;
  authors: string[];
  year?: number | undefined;
  doi?: string | undefined;
  tags: string[];
}
