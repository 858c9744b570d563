import { readFileSync, readdirSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connect, Index, Session } from '@lancedb/lancedb';
import { makeData, Vector, FixedSizeList, Field, Float32, Table, Schema, Utf8, vectorFromArray } from 'apache-arrow';
import { generator, unit } from './dense-vectors.ts';
const [kind='text', rows='4000', dims='1536', ...configs] = process.argv.slice(2);
const N=Number(rows), D=Number(dims);
function* docs(root: string): Generator<string> {
  const stack=[root];
  while(stack.length){ const d=stack.pop()!; for(const e of readdirSync(d,{withFileTypes:true})){ const p=join(d,e.name); if(e.isDirectory()) stack.push(p); else if(/\.(md|d\.ts|txt)$/.test(e.name) && statSync(p).size<2e6) yield p; } }
}
function passages(n: number): string[] { const out:string[]=[]; const seen=new Set<string>(); for(const f of docs('node_modules')){ const t=readFileSync(f,'utf8'); for(let i=0;i<t.length&&out.length<n;i+=1200){const s=t.slice(i,i+1500); if(s.length<200) continue; const k=s.slice(0,200); if(seen.has(k)) continue; seen.add(k); out.push(s);} if(out.length>=n) break;} return out; }
const hash=(w:string)=>{let v=0x811c9dc5; for(let i=0;i<w.length;i++) v=Math.imul(v^w.charCodeAt(i),0x01000193); return v>>>0;};
function textVectors(n:number): Float32Array[] {
  const texts=passages(n); const words=texts.map(t=>{const m=new Map<string,number>(); for(const w of t.toLowerCase().match(/[a-z]{2,}/g)??['x']) m.set(w,(m.get(w)??0)+1); return m;});
  const df=new Map<string,number>(); for(const m of words) for(const w of m.keys()) df.set(w,(df.get(w)??0)+1);
  const proj=new Map<string,[Int32Array,Float32Array]>();
  return words.map(m=>{const v=new Float32Array(D); for(const [w,c] of m){ const idf=Math.log(texts.length/(df.get(w)??1)); if(idf<0.5) continue; let p=proj.get(w); if(!p){const r=generator(hash(w)); p=[Int32Array.from({length:48},()=>Math.floor(r()*D)),Float32Array.from({length:48},()=>r()-.5)]; proj.set(w,p);} const s=(1+Math.log(c))*idf; for(let i=0;i<48;i++) v[p[0][i]!]!+=s*p[1][i]!; } if(!v.some(x=>x!==0)) v[0]=1; return unit(v);});
}
function clustered(n:number): Float32Array[] { // 32-dim latent per cluster, gaussian noise
  const r=generator(7); const g=()=>Math.sqrt(-2*Math.log(r()+1e-12))*Math.cos(6.283185*r());
  const C=200; const centres=Array.from({length:C},()=>Float32Array.from({length:D},g)); 
  return Array.from({length:n},(_,i)=>{const c=centres[i%C]!; const v=new Float32Array(D); for(let d=0;d<D;d++) v[d]=c[d]!+1.0*g(); return unit(v);});
}
const vecs = kind==='text'?textVectors(N):clustered(N);
const n=vecs.length; console.log(kind,n,D);
const dir=`/tmp/index-x/db-${kind}-${N}-${D}`; rmSync(dir,{recursive:true,force:true});
const open=async()=>(await connect(dir,{session:new Session(256n<<20n,64n<<20n)}));
const db=await open();
const t=process.hrtime.bigint();
const type=new FixedSizeList(D,new Field('item',new Float32(),true));
let table: any;
for(let s=0;s<n;s+=1000){ const part=vecs.slice(s,s+1000); const data=new Float32Array(part.length*D); part.forEach((v,i)=>data.set(v,i*D));
  const vec=new Vector([makeData({type,length:part.length,nullCount:0,child:makeData({type:new Float32(),data,length:data.length,nullCount:0})})]);
  const tab=new Table(new Schema([new Field('id',new Utf8(),false),new Field('text',new Utf8(),false),new Field('vector',type,true)]),{id:vectorFromArray(part.map((_,i)=>String(s+i)),new Utf8()),text:vectorFromArray(part.map((_,i)=>`passage ${s+i} `+'x'.repeat(1200)),new Utf8()),vector:vec});
  if(!table) table=await db.createTable('t',tab as any); else await table.add(tab as any); }
await table.optimize();
const io=()=>Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io','utf8'))![1]);
const rss=()=>Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status','utf8'))![1])/1024);
const Q=Array.from({length:60},(_,i)=>{const r=generator(i+99); const a=vecs[Math.floor(r()*n)]!, b=vecs[Math.floor(r()*n)]!; return unit(a.map((x,j)=>x+0.35*b[j]!+0.02*(r()-.5)));});
const exact:Set<string>[]=[]; const K=50;
const p50=(a:number[])=>a.sort((x,y)=>x-y)[a.length>>1]!;
async function run(name:string, search:(q:Float32Array)=>any, cols=['id','text','_distance']){
  // cold: fresh session
  let tb=await (await open()).openTable('t'); let q=(v:Float32Array)=>search(tb.vectorSearch(v) as any).select(cols).limit(K).toArray();
  search_table=tb;
  const c0=io(); await q(Q[0]!); const cold=io()-c0;
  await q(Q[1]!); for(let i=0;i<10;i++) await q(Q[i]!);
  const w0=io(); const times:number[]=[]; let found=0,tot=0;
  for(let i=0;i<Q.length;i++){const s=performance.now(); const r=await q(Q[i]!); times.push(performance.now()-s); const ids=new Set<string>(r.map((x:any)=>x.id)); if(name==='exact') exact.push(ids); for(const id of exact[i]!) {tot++; if(ids.has(id)) found++;}}
  const warm=(io()-w0)/Q.length;
  let done=0; const until=performance.now()+3000; await Promise.all(Array.from({length:10},async(_,k)=>{let i=k; while(performance.now()<until){await q(Q[i++%Q.length]!); done++;}}));
  console.log(name.padEnd(34),'recall',(found/tot).toFixed(3),'p50',p50(times).toFixed(1),'ms warm',(warm/1e6).toFixed(2),'MB cold',(cold/1e6).toFixed(1),'MB',(done/3).toFixed(0)+'/s','rss',rss());
}
let search_table:any;
await run('exact',(q)=>q.column('vector').distanceType('dot').bypassVectorIndex());
async function index(name:string, cfg:any, searches:[string,(q:any)=>any][]){
  const s=performance.now(); const c=process.cpuUsage(); await table.createIndex('vector',{config:cfg,replace:true}); const el=performance.now()-s; const cu=process.cpuUsage(c);
  const idx=(await table.listIndices()).find((i:any)=>i.columns.includes('vector'));
  let size=0; for(const e of readdirSync(join(dir,'t.lance/_indices'))){let z=0; for(const f of readdirSync(join(dir,'t.lance/_indices',e))) z+=statSync(join(dir,'t.lance/_indices',e,f)).size; size=z; }
  console.log('--',name,idx?.indexType,'build',(el/1000).toFixed(1),'s cpu',((cu.user+cu.system)/1e6).toFixed(1),'rss',rss(), 'lastdir MB', (size/1e6).toFixed(1));
  for(const [n2,f] of searches) await run(`${name} ${n2}`,f);
}
const dot=(q:any)=>q.column('vector').distanceType('dot');
for(const c of configs){
  const [k,bits,parts]=c.split(':'); const np=parts?Number(parts):undefined;
  const S:[string,(q:any)=>any][]=[['refine1',q=>dot(q).refineFactor(1)],['refine2',q=>dot(q).refineFactor(2)],['refine4',q=>dot(q).refineFactor(4)]];
  if(np!==undefined && np>20||n>30000) S.push(['np40 r2',q=>dot(q).nprobes(40).refineFactor(2)],['np10 r2',q=>dot(q).nprobes(10).refineFactor(2)],['np80 r2',q=>dot(q).nprobes(80).refineFactor(2)]);
  if(k==='rq') await index(c,Index.ivfRq({distanceType:'dot',numBits:Number(bits),...(np?{numPartitions:np}:{})}),S);
  if(k==='flat') await index(c,Index.ivfFlat({distanceType:'dot',...(np?{numPartitions:np}:{})}),[['',dot]]);
  if(k==='sq') await index(c,(Index as any).hnswSq({distanceType:'dot'}),S);
}
rmSync(dir,{recursive:true,force:true});
process.exit(0);
