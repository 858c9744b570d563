import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { S3Client, CreateBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { lancedbVectors } from './lib/adapters/lancedb/vectors.ts';
import { bucketVectors } from './test/support/bucket-tables.ts';
const D = 384, N = 20000;
const vec = (s: number) => { const v = Float32Array.from({length: D}, (_, i) => { const n = Math.sin(s * 12.9898 + i * 78.233) * 43758.5453; return Math.sin((s % 30) * 7.31 + i * 3.7) + .8 * (n - Math.floor(n) - .5); }); const l = Math.hypot(...v); return v.map((x) => x / l); };
const row = (s: number) => ({ path: `f${s}`, chunk: 0, fileHash: 'h', text: `text ${s} about ${['owls','reefs','apes','rivers','code'][s % 5]} and ${['night','heat','maps','law','salt','wind','iron'][s % 7]} ${'filler words here '.repeat(20)}`, startLine: 1, endLine: 1, startChar: 0, endChar: 1, part: {}, context: '', vector: vec(s) });
const client = (endpoint: string) => new S3Client({ endpoint, region: 'eu-west-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });
const open = (where: string) => where.startsWith('http') ? bucketVectors(client(where.split(' ')[0]!), where.split(' ')[0]!, where.split(' ')[1]!) : lancedbVectors(where);
const pct = (a: number[]) => { a.sort((x, y) => x - y); return `${a[a.length >> 1]!.toFixed(0)}/${a[Math.floor(a.length * .95)]!.toFixed(0)}`; };
const counts = async (where: string) => where.startsWith('http') ? await (await fetch(`${where.split(' ')[0]}/__counts`)).text() : '';
const mode = process.argv[2], where = process.argv[3]!;
if (mode === 'fill') { const t = await open(where).open('w', 's'); for (let i = 0; i < N; i += 2000) await t.write(Array.from({ length: 2000 }, (_, k) => row(i + k)), []); await t.maintain(); process.exit(0); }
if (mode === 'look') {
  const t = await open(where).open('w', 's');
  await counts(where);
  let s = performance.now(); await t.searchVector(vec(77777), 50); const cold = performance.now() - s; const coldC = await counts(where);
  s = performance.now(); await t.searchText('owls in the night', 50); const coldT = performance.now() - s; const coldTC = await counts(where);
  const v: number[] = [], x: number[] = [], b: number[] = [];
  for (let i = 0; i < 30; i++) { s = performance.now(); await t.searchVector(vec(80000 + i * 13), 50); v.push(performance.now() - s); }
  const vC = await counts(where);
  const words = ['owls','reefs','apes','rivers','code','night','heat','maps','law','salt','wind','iron'];
  for (let i = 0; i < 30; i++) { s = performance.now(); await t.searchText(`${words[i % 12]} ${words[(i * 5 + 1) % 12]} ${i * 601}`, 50); x.push(performance.now() - s); }
  const xC = await counts(where);
  for (let i = 0; i < 20; i++) { s = performance.now(); await Promise.all([t.searchVector(vec(80000 + i * 13), 50), t.searchText(`${words[i % 12]} ${words[(i * 5 + 1) % 12]} ${i * 601}`, 50)]); b.push(performance.now() - s); }
  const bC = await counts(where);
  console.log(JSON.stringify({ coldVector: cold.toFixed(0), coldC, coldText: coldT.toFixed(0), coldTC, vector: pct(v), vC, text: pct(x), xC, both: pct(b), bC }));
  process.exit(0);
}
if (mode === 'commit') { const t = await open(where).open('w', 's'); await t.count(); await counts(where); const c: number[] = []; for (let i = 0; i < 20; i++) { const s = performance.now(); await t.write([row(100000 + i)], []); c.push(performance.now() - s); } console.log(JSON.stringify({ commit: pct(c), cC: await counts(where) })); process.exit(0); }
if (mode === 'clean') { // old versions
  const { connect } = await import('@lancedb/lancedb');
  process.exit(0); }
async function proxy(target: string, delay: number) {
  const { hostname, port } = new URL(target); let c: Record<string, number> = {}; let bytes = 0;
  const server = createServer((i, o) => { if (i.url === '/__counts') { o.end(JSON.stringify({ ...c, kb: Math.round(bytes / 1024) })); c = {}; bytes = 0; return; }
    const kind = i.method === 'GET' && i.url!.includes('list-type') ? 'LIST' : i.method!; c[kind] = (c[kind] ?? 0) + 1;
    const go = () => { const p = request({ hostname, port, method: i.method, path: i.url, headers: i.headers }, (a) => { o.writeHead(a.statusCode!, a.rawHeaders); a.on('data', (d) => (bytes += d.length)); a.pipe(o); }); p.on('error', () => o.destroy()); i.pipe(p); };
    delay ? setTimeout(go, delay) : go(); });
  await new Promise<void>((d) => server.listen(0, '127.0.0.1', d));
  return `http://127.0.0.1:${(server.address() as any).port}`;
}
if (mode === 'all') {
  const folder = mkdtempSync(join(tmpdir(), 's3bench-')); const bucket = `bench-${Date.now()}`;
  await client(where).send(new CreateBucketCommand({ Bucket: bucket }));
  const run = async (m: string, w: string) => { const s = performance.now(); const ch = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', import.meta.filename, m, w], { stdio: ['ignore', 'pipe', 'inherit'] }); let out = ''; ch.stdout.on('data', (d) => (out += d)); await once(ch, 'close'); console.log(m, w.slice(0, 30), ((performance.now() - s) / 1000).toFixed(1) + ' s', out.trim()); };
  const plain = await proxy(where, 0), slow = await proxy(where, 20), slower = await proxy(where, 40);
  await run('fill', folder); await run('fill', `${plain} ${bucket}`);
  for (let round = 0; round < 2; round++) { await run('look', folder); await run('look', `${plain} ${bucket}`); await run('look', `${slow} ${bucket}`); await run('look', `${slower} ${bucket}`); }
  await run('commit', folder); await run('commit', `${plain} ${bucket}`); await run('commit', `${slow} ${bucket}`);
  process.exit(0);
}
