import net from 'node:net'; import {readFileSync} from 'node:fs';
const pid=process.argv[2]; const rss=()=>Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`,'utf8'))[1])/1024|0;
const path=process.argv[3]; console.log('before',rss()); let peak=0; setInterval(()=>peak=Math.max(peak,rss()),20);
const heads={};
await Promise.all(Array.from({length:60},()=>new Promise(done=>{ const s=net.connect(34567,'127.0.0.1'); s.on('error',()=>{}); s.on('close',done);
 s.once('data',d=>{const h=d.toString().split('\r\n')[0]; heads[h]=(heads[h]??0)+1;});
 s.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:34567\r\ncontent-type: application/json\r\ncontent-length: 10485760\r\n\r\n`);
 const chunk=Buffer.alloc(1<<20,120); let n=0; const w=()=>{ while(n<9){n++; if(!s.write(chunk)){s.once('drain',w);return;}} }; w(); setTimeout(()=>{s.destroy();done()},7000);})));
console.log('peak',peak,'MB',heads); process.exit();
