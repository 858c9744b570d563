import { hash as hashOf, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { copyFile, link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../paths/file-errors.ts';
import { versionOf } from '../../paths/file-version.ts';
import { copyOut, type FileEntry, isSameVersion, READ } from './entry-state.ts';

/** Larger files get a copy of their own, which a file system may share with the original. */
const MAX_PACKED = 64 * 1024;
const BUFFER_BYTES = 1024 * 1024;
/** Packs are written again when this much of them, and half, is no longer used. */
const MAX_UNUSED = 32 * 1024 * 1024;
const FULL_PACK = 64 * 1024 * 1024;
const FANS = 256;

interface LatestPack {
  name: string;
  end: number;
}

/** The file was written while it was copied. */
export class Changing extends Error {}

/** A copy doesn't have the contents that were kept: after a power cut, a disk error, or a partial restore. */
export class DamagedCopy extends Error {}

/** What a copy is found by, and what it must have. */
interface Copied {
  copy: string;
  hash: string | undefined;
}

/**
 * Contents of the files of a workspace, by name. Small files are written one after the other into a *pack* (`pack-ID@OFFSET`): a
 * file for each takes ten times as long.
 */
export class Copies {
  readonly #folder: string;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #packedBytes = 0;
  #latest: LatestPack | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folders, and returns whether a copy can be there. Copies that aren't named were cut off by a kill. */
  async open(names: Iterable<string>): Promise<(name: string, size: number) => boolean> {
    const named = new Set([...names].map(packOf));
    const fans = Array.from({ length: FANS }, (_, fan) => fan.toString(16).padStart(2, '0'));
    for (const fan of fans) await mkdir(join(this.#folder, fan), { recursive: true, mode: 0o700 });
    const sizes = new Map(['', ...fans].flatMap((folder) => this.#keepNamed(folder, named)));
    this.#packedBytes = 0;
    for (const [name, size] of sizes) if (isPacked(name)) this.#packedBytes += size;
    return (name, size) => isLongEnough(name, size, sizes.get(packOf(name)) ?? -1);
  }

  /** Returns the sizes of the named files in a folder, and removes the others. */
  #keepNamed(folder: string, named: Set<string>): [string, number][] {
    const sizes: [string, number][] = [];
    for (const name of readdirSync(join(this.#folder, folder))) {
      if (folder === '' && name.length === 2) continue;
      const place = join(this.#folder, folder, name);
      if (named.has(name)) sizes.push([name, statSync(place).size]);
      else rmSync(place, { force: true });
    }
    return sizes;
  }

  isSmall({ size }: FileEntry): boolean {
    return size <= MAX_PACKED;
  }

  /** Continues the latest pack of this process, so that small changes don't make many. */
  startPack({ fresh = false } = {}): Pack {
    const latest = this.#latest;
    const last = latest === undefined || fresh || latest.end > FULL_PACK ? undefined : latest;
    const pack = new Pack(this.#folder, this.#buffer, last);
    this.#latest = undefined;
    return pack;
  }

  /** Brings a pack to the disk. Returns whether it is there: otherwise none of its new names may be used. */
  endPack(pack: Pack): boolean {
    const isWhole = pack.close();
    this.#packedBytes += pack.added;
    if (isWhole) this.#latest = { name: pack.name, end: pack.end };
    return isWhole;
  }

  /** Copies a larger file. Throws Changing if it isn't the one that was found. */
  async add(entry: string, found: FileEntry): Promise<Copied> {
    const name = randomUUID();
    const place = this.#placeOf(name);
    try {
      const copied = await copyOut(entry, place);
      if (copied === undefined || !isSameVersion(copied, found)) throw new Changing();
      return { copy: name, hash: copied.hash };
    } catch (error) {
      await rm(place, { force: true });
      throw error;
    }
  }

  /** Brings the copy of a larger file to another place in the data folder, where nothing writes into it. */
  async bring(name: string, place: string): Promise<void> {
    await link(this.#placeOf(name), place).catch(async (error: unknown) => {
      if (!hasCode(error, 'EMLINK', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV')) throw error;
      await copyFile(this.#placeOf(name), place);
    });
  }

  /** The contents of a packed copy. */
  read(name: string, size: number): Buffer {
    return readPacked(this.#folder, name, size);
  }

  /** Whether so much of the packs is unused that they should be written again. */
  isWasteful(usedBytes: number): boolean {
    return this.#packedBytes - usedBytes > Math.max(MAX_UNUSED, usedBytes);
  }

  /** Removes packs that no name needs. */
  removeOthers(names: Iterable<string>): void {
    const named = new Set([...names].map(packOf));
    for (const name of readdirSync(this.#folder)) {
      if (!isPacked(name) || named.has(name)) continue;
      this.#packedBytes -= statSync(join(this.#folder, name)).size;
      rmSync(join(this.#folder, name));
    }
  }

  /** A part of a pack stays until the pack is written again. */
  async remove(name: string): Promise<void> {
    if (!isPacked(name)) await rm(this.#placeOf(name), { force: true });
  }

  #placeOf(name: string): string {
    return isPacked(name) ? join(this.#folder, name) : join(this.#folder, name.slice(0, 2), name);
  }
}

/** A file of copies that is being written. */
export class Pack {
  readonly name: string;
  readonly #place: string;
  readonly #buffer: Buffer;
  readonly #start: number;
  #fd: number | undefined;
  #written: number;
  #filled = 0;
  #isBroken = false;

  constructor(folder: string, buffer: Buffer, latest: LatestPack | undefined) {
    this.name = latest?.name ?? `pack-${randomUUID()}`;
    this.#start = latest?.end ?? 0;
    this.#written = this.#start;
    this.#place = join(folder, this.name);
    this.#buffer = buffer;
  }

  get end(): number {
    return this.#written;
  }

  get added(): number {
    return this.#written - this.#start;
  }

  /** Copies a small file, at about six system calls. Throws Changing if it isn't the one that was found. */
  add(entry: string, { size, version }: FileEntry): Copied {
    this.#makeRoom(size + 1);
    const fd = openSync(entry, READ);
    try {
      if (versionOf(fstatSync(fd)) !== version) throw new Changing();
      const read = readAll(fd, this.#buffer.subarray(this.#filled), size + 1);
      if (read !== size || versionOf(fstatSync(fd)) !== version) throw new Changing();
    } finally {
      closeSync(fd);
    }
    const hash = hashOf('sha256', this.#buffer.subarray(this.#filled, this.#filled + size));
    return { copy: this.#taken(size), hash };
  }

  addBytes(bytes: Buffer): string {
    this.#makeRoom(bytes.length);
    bytes.copy(this.#buffer, this.#filled);
    return this.#taken(bytes.length);
  }

  close(): boolean {
    this.#flush();
    if (this.#fd === undefined) return true;
    try {
      if (!this.#isBroken) fsyncSync(this.#fd);
    } catch {
      this.#isBroken = true;
    }
    closeSync(this.#fd);
    this.#fd = undefined;
    return !this.#isBroken;
  }

  #taken(size: number): string {
    const name = `${this.name}@${this.#written + this.#filled}`;
    this.#filled += size;
    return name;
  }

  #makeRoom(size: number): void {
    this.#fd ??= openSync(this.#place, constants.O_WRONLY | constants.O_CREAT, 0o600);
    if (this.#filled + size > this.#buffer.length) this.#flush();
  }

  #flush(): void {
    try {
      for (let at = 0; this.#fd !== undefined && at < this.#filled; )
        at += writeSync(this.#fd, this.#buffer, at, this.#filled - at, this.#written + at);
    } catch {
      this.#isBroken = true; // the disk is full
    }
    this.#written += this.#filled;
    this.#filled = 0;
  }
}

export function isPacked(name: string): boolean {
  return name.startsWith('pack-');
}

/** Returns the file that has a copy. */
function packOf(name: string): string {
  return isPacked(name) ? name.replace(/@.*/, '') : name;
}

function isLongEnough(name: string, size: number, there: number): boolean {
  return isPacked(name) ? there >= offsetOf(name) + size : there === size;
}

function offsetOf(name: string): number {
  return Number(name.slice(name.indexOf('@') + 1));
}

/** Throws DamagedCopy if the pack is missing or too short. */
export function readPacked(folder: string, name: string, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  const fd = openPack(join(folder, packOf(name)));
  try {
    if (readAll(fd, bytes, size, offsetOf(name)) === size) return bytes;
    throw new DamagedCopy();
  } finally {
    closeSync(fd);
  }
}

function openPack(place: string): number {
  try {
    return openSync(place, 'r');
  } catch (error) {
    throw hasCode(error, 'ENOENT') ? new DamagedCopy() : error;
  }
}

/** Returns the number of bytes up to `length` that there were. */
function readAll(fd: number, into: Buffer, length: number, position = 0): number {
  let read = 0;
  while (read < length) {
    const some = readSync(fd, into, read, length - read, position + read);
    if (some === 0) break;
    read += some;
  }
  return read;
}
