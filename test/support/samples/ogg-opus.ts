/**
 * Returns a typical recording: Ogg/Opus, one channel, in frames of 20 ms, silent, or noise from these frames.
 */
export function oggOpus(seconds: number, frame: Uint8Array = SILENCE): Buffer {
  const frames = Math.round(seconds * 50);
  const pages = [page(0, 2, 0, [head()]), page(1, 0, 0, [tags()])];
  for (let from = 0; from < frames; from += FRAMES_A_PAGE) {
    const packets = Array.from({ length: Math.min(FRAMES_A_PAGE, frames - from) }, () => frame);
    const last = from + FRAMES_A_PAGE >= frames;
    pages.push(page(pages.length, last ? 4 : 0, (from + packets.length) * SAMPLES_A_FRAME, packets));
  }
  return Buffer.concat(pages);
}

const FRAMES_A_PAGE = 50;
const SAMPLES_A_FRAME = 960;
/** Full band, 20 ms, mono: the encoder's own frame for silence. */
const SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe);

function head(): Buffer {
  const bytes = Buffer.alloc(19);
  bytes.write('OpusHead');
  bytes[8] = 1;
  bytes[9] = 1;
  bytes.writeUInt32LE(16_000, 12);
  return bytes;
}

function tags(): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.write('OpusTags');
  return bytes;
}

function page(number: number, flags: number, granule: number, packets: Uint8Array[]): Buffer {
  const header = Buffer.alloc(27 + packets.length);
  header.write('OggS');
  header[5] = flags;
  header.writeBigUInt64LE(BigInt(granule), 6);
  header.writeUInt32LE(7, 14);
  header.writeUInt32LE(number, 18);
  header[26] = packets.length;
  packets.forEach(({ length }, index) => {
    header[27 + index] = length;
  });
  const bytes = Buffer.concat([header, ...packets]);
  bytes.writeUInt32LE(checksum(bytes), 22);
  return bytes;
}

function checksum(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}
