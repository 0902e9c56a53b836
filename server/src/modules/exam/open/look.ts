// What the public pages of examinations look like and what their script adds. All of it stands in the page: nothing else is loaded.

export const style = `
:root{--bg:#f4f6fa;--card:#fff;--ink:#172033;--soft:#4b5568;--line:#d5dbe6;--brand:#1352b8;--on:#fff;--ok:#0b6b3a;--ok-bg:#e6f4ec;--warn:#7a4a00;--warn-bg:#fff3dc;--no:#a3211d;--no-bg:#fdeceb;color-scheme:light}
@media (prefers-color-scheme:dark){:root{--bg:#10151f;--card:#1a2130;--ink:#eef2f8;--soft:#b4bfd1;--line:#39445a;--brand:#8fb8ff;--on:#0b1730;--ok:#7fdba6;--ok-bg:#12321f;--warn:#ffcf80;--warn-bg:#3a2a08;--no:#ff9d98;--no-bg:#411815;color-scheme:dark}}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.65 -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:46rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:center;justify-content:space-between;padding-top:.5rem}
main{padding-bottom:2rem}footer{padding-bottom:2rem;color:var(--soft);font-size:.9rem}
h1{font-size:1.5rem;line-height:1.3;margin:.75rem 0}h2{font-size:1.2rem;margin:0 0 .5rem}h3{font-size:1.05rem;margin:0}
p{margin:.35rem 0}ul,ol{margin:.35rem 0;padding-left:1.3rem}a{color:var(--brand)}
header a,.links a{display:inline-flex;align-items:center;min-height:44px}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--card);padding:.5rem 1rem;z-index:1}.skip:focus{top:.5rem}header nav{margin:0;gap:1rem}
a:focus-visible,button:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible,[tabindex]:focus-visible{outline:3px solid #ffbf47;outline-offset:2px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem;margin:0 0 1rem}
.go{display:inline-flex;align-items:center;justify-content:center;min-height:48px;padding:.5rem 1.25rem;border-radius:10px;border:1px solid var(--brand);background:var(--brand);color:var(--on);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
.go.second{background:transparent;color:var(--brand)}
.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin:.75rem 0}
.tag{display:inline-block;padding:.05rem .6rem;border-radius:99px;border:1px solid currentColor;font-size:.9rem}
.can{color:var(--ok)}.person{color:var(--warn)}.cannot{color:var(--no)}
.told{border-left:4px solid;padding:.35rem .75rem;margin:.5rem 0}
.told.can{background:var(--ok-bg)}.told.person{background:var(--warn-bg)}.told.cannot{background:var(--no-bg)}
.soft{color:var(--soft)}.small{font-size:.9rem}
dl{margin:.5rem 0;display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.25rem 1rem}dt{color:var(--soft)}dd{margin:0}
@media (max-width:22rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.4rem}}
[data-more]{margin-bottom:1rem}
summary{cursor:pointer;min-height:44px;display:list-item;padding:.5rem 0;font-weight:600}
fieldset{border:0;padding:0;margin:0 0 1.25rem;min-width:0}legend{font-weight:700;font-size:1.1rem;padding:0}
label{display:block;margin:.5rem 0 .25rem}.tick{display:flex;gap:.6rem;align-items:center;min-height:44px;margin:0}.tick input{width:1.4rem;height:1.4rem;flex:none}
input[type=text],input[type=search],input[type=date],select{width:100%;min-height:48px;padding:.5rem .75rem;border:1px solid var(--soft);border-radius:10px;background:var(--card);color:var(--ink);font:inherit}
.counts{display:grid;grid-template-columns:repeat(auto-fit,minmax(5.5rem,1fr));gap:.75rem;padding:0;list-style:none}
.counts a{display:block;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.75rem;text-decoration:none}.counts strong{display:block;font-size:1.6rem;line-height:1.2}
.wrong{border:3px solid var(--no);border-radius:12px;padding:1rem;margin:1rem 0}.wrong a{color:var(--no)}
.bad{color:var(--no);font-weight:600;margin:.25rem 0}
.text table{display:block;overflow-x:auto;border-collapse:collapse}.text td,.text th{border:1px solid var(--line);padding:.3rem}.text img{max-width:100%;height:auto}
@media print{header nav,.go,form{display:none}}
`

/**
 * Counts down by the clock of the server, keeps the answers on this device and fills them in again. The names are those of the portal's own storage, which
 * takes the answers over after the log-in.
 */
export const script = `(()=>{
const zh=document.documentElement.lang!=='en',key='kaopu-facts'
const read=()=>{try{return JSON.parse(localStorage.getItem(key)||'null')}catch{return null}}
const form=document.querySelector('form[data-facts]')
if(form){
const kept=read()
if(kept&&!form.hasAttribute('data-sent'))for(const el of form.elements){if(!el.name)continue
const v=kept[el.name];if(v===undefined)continue
if(el.type==='checkbox'||el.type==='radio')el.checked=[].concat(v).includes(el.value);else el.value=v}
form.addEventListener('submit',()=>{const f={at:Date.now()}
for(const el of form.elements){if(!el.name)continue
if(el.type==='checkbox'&&el.name==='certName'){f.certName=f.certName||[];if(el.checked&&el.value)f.certName.push(el.value)}
else if(el.type==='checkbox')f[el.name]=el.checked?'1':'0'
else if(el.type==='radio'){if(el.checked&&el.value)f[el.name]=el.value}
else if(el.value)f[el.name]=el.value}
try{localStorage.setItem(key,JSON.stringify(f))}catch{}})}
const wipe=document.querySelector('[data-wipe]')
if(wipe){wipe.hidden=!read();wipe.addEventListener('click',()=>{try{localStorage.removeItem(key)}catch{};if(form)location.reload();else wipe.hidden=true})}
const until=document.querySelector('[data-until]')
if(until){let off=0
const two=n=>String(n).padStart(2,'0')
const tell=()=>{const s=Math.floor((Number(until.dataset.until)-Date.now()-off)/1000)
if(s<0){until.textContent='';return}
const d=Math.floor(s/86400),h=Math.floor(s/3600)%24,m=Math.floor(s/60)%60
until.textContent=zh?'还有 '+(d?d+' 天 ':'')+h+' 小时 '+two(m)+' 分':(d?d+' d ':'')+h+' h '+two(m)+' min left'}
tell();setInterval(tell,30000)
const at=Date.now()
fetch('/api/health',{cache:'no-store'}).then(r=>{const t=Date.parse(r.headers.get('date')||'');if(t){off=t-(at+Date.now())/2;if(Math.abs(off)<2000)off=0;tell()}}).catch(()=>{})}
})()`
