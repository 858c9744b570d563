import { connect } from 'node:net';
import { startService } from '../support/service.ts';
import { createWorkspace } from '../support/sync.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeOpenai } from '../support/fake-openai.ts';
const provider = await startFakeOpenai();
const s = await startService({PROVIDER_A_BASE_URL: provider.url, EMBEDDING_BASE_URL: provider.url, ...(process.env.PROF ? {NODE_OPTIONS:'--cpu-prof --cpu-prof-dir='+process.env.PROF}:{})});
const n = Number(process.argv[2] ?? 1);
let id='';
for (let i=0;i<n;i++){ id = await createWorkspace(s,'w'+i); }
const port = Number(new URL(s.url).port);
async function load(path: string, conc=10, secs=4) {
  let done=0; const until=performance.now()+secs*1000;
  await Promise.all(Array.from({length:conc},()=>new Promise<void>((res)=>{
    const sock=connect(port,'127.0.0.1'); let buf='';
    const req=`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
    sock.setNoDelay(true); sock.write(req);
    sock.on('data',(c)=>{ buf+=c.toString('latin1'); 
      const h=buf.indexOf('\r\n\r\n'); if(h<0) return;
      const m=/content-length: (\d+)/i.exec(buf.slice(0,h));
      if(m ? buf.length>=h+4+Number(m[1]) : buf.endsWith('0\r\n\r\n')) { if(!/^HTTP\/1.1 200/.test(buf)) throw new Error(buf); buf=''; done++; if(performance.now()>until){sock.destroy();res();} else sock.write(req);} });
  })));
  return done/secs;
}
const paths: Record<string,string> = {health:'/api/health', list:'/api/workspaces', list100:'/api/workspaces?limit=100', browse:`/api/files/browse?workspaceId=${id}&path=`, notes:`/api/notes?workspaceId=${id}`, tasks:'/api/scheduled-tasks', sync:`/api/workspaces/${id}/sync`, one:`/api/workspaces/${id}`};
const only=process.argv[3]?.split(",");
for (const [k,p] of Object.entries(paths)) { if(only&&!only.includes(k)) continue; await load(p,10,1); console.log(k, Math.round(await load(p))); }
await s.stop(); await provider.stop(); process.exit(0);
