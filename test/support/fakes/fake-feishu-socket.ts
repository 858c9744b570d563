import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Feishu's long connection, as its SDK speaks it: a WebSocket of binary frames (protobuf `pbbp2.Frame`: service,
 * method 0 for control and 1 for data, headers, payload). One event at a time.
 */
export interface FeishuSockets {
  connections: number;
  /** Sends an event like the platform; resolves with the response. */
  deliver(event: unknown): Promise<{ code: number; data: unknown }>;
  /** Closes all connections. */
  drop(): void;
}

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const DATA = 1;

interface Frame {
  service: number;
  method: number;
  headers: Record<string, string>;
  payload: Buffer;
}

/** Answers upgrades of a server. */
export function feishuSockets(server: Server): FeishuSockets {
  const open = new Set<Duplex>();
  const waiting = new Map<string, (payload: Buffer) => void>();
  const take = (socket: Duplex, { method, headers, payload, service }: Frame) => {
    if (headers.type === 'ping') {
      open.add(socket); // not before, because data that is sent immediately is lost on the client
      const pong = JSON.stringify({
        PingInterval: 120,
        ReconnectCount: -1,
        ReconnectInterval: 1,
        ReconnectNonce: 0,
      });
      send(socket, { service, method, headers: { type: 'pong' }, payload: Buffer.from(pong) });
    }
    if (method === DATA) waiting.get(headers.message_id ?? '')?.(payload);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${key}\r\n\r\n`,
    );
    for (const end of ['end', 'close', 'error']) {
      socket.on(end, () => {
        open.delete(socket);
        socket.destroy();
      });
    }
    readMessages(socket, (bytes) => take(socket, decodeFrame(bytes)));
  });
  return {
    get connections() {
      return open.size;
    },
    async deliver(event) {
      const [socket] = open;
      if (socket === undefined) throw new Error('nobody is connected');
      const message_id = randomUUID();
      const answered = new Promise<Buffer>((done) => waiting.set(message_id, done));
      const bytes = Buffer.from(JSON.stringify(event));
      // Sends two parts, because long events arrive in parts.
      const half = Math.floor(bytes.length / 2);
      const headers = { type: 'event', message_id, sum: '2', trace_id: 't' };
      send(socket, {
        service: 7,
        method: DATA,
        headers: { ...headers, seq: '0' },
        payload: bytes.subarray(0, half),
      });
      send(socket, {
        service: 7,
        method: DATA,
        headers: { ...headers, seq: '1' },
        payload: bytes.subarray(half),
      });
      const { code, data } = JSON.parse((await answered).toString()) as { code: number; data?: string };
      return {
        code,
        data: data === undefined ? undefined : JSON.parse(Buffer.from(data, 'base64').toString()),
      };
    },
    drop() {
      for (const socket of open) socket.destroy();
      open.clear();
    },
  };
}

function send(socket: Duplex, frame: Frame) {
  const bytes = encodeFrame(frame);
  const head = Buffer.alloc(bytes.length < 126 ? 2 : 4);
  head[0] = 0x82; // one complete binary message
  head[1] = Math.min(bytes.length, 126);
  if (bytes.length >= 126) head.writeUInt16BE(bytes.length, 2);
  socket.write(Buffer.concat([head, bytes]));
}

/** Clients mask their messages. Anything but a binary message is skipped. */
function readMessages(socket: Duplex, take: (bytes: Buffer) => void) {
  let buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let message = firstMessage(buffer); message !== undefined; message = firstMessage(buffer)) {
      buffer = buffer.subarray(message.end);
      if (message.isBinary) take(message.bytes);
    }
  });
}

/** Returns undefined while the message is incomplete. Here, messages of clients are under 64 KB. */
function firstMessage(buffer: Buffer) {
  if (buffer.length < 4) return undefined;
  const short = buffer.readUInt8(1) & 0x7f;
  const at = short === 126 ? 4 : 2;
  const end = at + 4 + (short === 126 ? buffer.readUInt16BE(2) : short);
  if (buffer.length < end) return undefined;
  const mask = buffer.subarray(at, at + 4);
  const bytes = buffer.subarray(at + 4, end).map((byte, index) => byte ^ mask.readUInt8(index % 4));
  return { end, bytes: Buffer.from(bytes), isBinary: (buffer.readUInt8(0) & 0x0f) === 2 };
}

/** Protocol buffers: 1 SeqID, 2 LogID, 3 service, 4 method, 5 headers {1 key, 2 value}, 8 payload. */
export function encodeFrame({ service, method, headers, payload }: Frame): Buffer {
  const pairs = Object.entries(headers).map(([key, value]) =>
    Buffer.concat([block(1, Buffer.from(key)), block(2, Buffer.from(value))]),
  );
  return Buffer.concat([
    ...[0, 0, service, method].flatMap((value, index) => [varint((index + 1) << 3), varint(value)]),
    ...pairs.map((pair) => block(5, pair)),
    ...(payload.length === 0 ? [] : [block(8, payload)]),
  ]);
}

function decodeFrame(bytes: Buffer): Frame {
  const fields = readFields(bytes);
  const number = (field: number) => Number(fields.find(([known]) => known === field)?.[1] ?? 0);
  const blocks = (field: number) =>
    fields.flatMap(([known, value]) => (known === field ? [value as Buffer] : []));
  const headers = blocks(5).map((pair) => readFields(pair).map(([, value]) => String(value)));
  return {
    service: number(3),
    method: number(4),
    headers: Object.fromEntries(headers) as Record<string, string>,
    payload: blocks(8)[0] ?? Buffer.alloc(0),
  };
}

function readFields(bytes: Buffer): [number, number | Buffer][] {
  const fields: [number, number | Buffer][] = [];
  let at = 0;
  const next = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = next();
    const value = next();
    const isBlock = tag % 8 === 2;
    fields.push([tag >> 3, isBlock ? bytes.subarray(at, at + value) : value]);
    if (isBlock) at += value;
  }
  return fields;
}

function block(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
