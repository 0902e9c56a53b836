import type { Language } from '#contract/kernel/label.ts'
import { waitText } from '#contract/kernel/wait-text.ts'
import type { Standing } from '../admission/waiting-room.ts'
import { escapeHtml } from './public-page.ts'

/** What the page and its script say; the script gets them as they are. */
const texts = {
  zh: {
    title: '排队等候',
    lead: '当前访问人数较多，已按到达先后为您排队，轮到时自动进入。',
    position: '您前面还有',
    people: '人',
    wait: '等待时间',
    asOf: '更新于',
    keep: '请不要关闭此页面；刷新页面、切换网络或锁屏都不会失去位置。排队的位置只能用于本浏览器和一个账号。',
    inside: '正在填写、上传或缴费的考生不受影响，已填写的内容不会丢失。',
    script: '页面会自动刷新。',
    turn: '轮到您了，正在进入……',
    go: '进入',
    next: '下一位就是您',
    staff: '工作人员登录',
    cutOff: '系统正在切换，您的位置已保留，恢复后自动继续。',
    retry: '网络连接中断，正在重试，您的位置已保留。',
    other: 'English',
  },
  en: {
    title: 'Waiting room',
    lead: 'Many people are here at once. You have a place in the queue, in order of arrival, and go in by yourself when it is your turn.',
    position: 'Before you',
    people: 'people',
    wait: 'Time to wait',
    asOf: 'As of',
    keep: 'Keep this page open. Reloading, another network or a locked screen do not lose your place. It is good for this browser and one account.',
    inside: 'Whoever is filling in a form, uploading or paying is not affected, and nothing entered is lost.',
    script: 'The page reloads by itself.',
    turn: 'It is your turn; going in…',
    go: 'Go in',
    next: 'you are next',
    staff: 'Log-in for staff',
    cutOff: 'The service is being moved. Your place is kept, and it goes on by itself.',
    retry: 'The connection was lost; trying again. Your place is kept.',
    other: '中文',
  },
} as const

const style = `
:root{color-scheme:light dark;--ink:#1f2937;--soft:#4b5563;--page:#f3f4f6;--card:#fff;--line:#d1d5db;--strong:#0b57b8}
@media (prefers-color-scheme:dark){:root{--ink:#f3f4f6;--soft:#c3c9d2;--page:#111827;--card:#1f2937;--line:#4b5563;--strong:#8ab8ff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:16px;background:var(--page);color:var(--ink);
font:16px/1.6 -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans SC","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:30rem;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:24px}
h1{margin:0 0 8px;font-size:1.375rem;line-height:1.3}
p{margin:0 0 12px}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 16px;align-items:baseline;margin:20px 0;padding:16px 0;border-block:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0;text-align:right;font-size:1.125rem;font-weight:600}
#ahead{font-size:2rem;line-height:1.2;font-variant-numeric:tabular-nums;color:var(--strong)}
small,.soft{color:var(--soft);font-size:.9375rem}
footer{display:flex;flex-wrap:wrap;gap:4px 24px;margin-top:16px}
a{color:var(--strong);display:inline-block;padding:10px 0;min-height:44px}
a:focus-visible{outline:3px solid var(--strong);outline-offset:2px;border-radius:4px}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}`

/** Asks when the server said it should, and tells a screen reader only when the words of the time change. */
const script = `
(function(){var d=document,t=JSON.parse(d.getElementById('t').textContent),w=d.getElementById('wait'),n=d.getElementById('ahead'),
a=d.getElementById('at'),s=d.getElementById('say'),e=d.getElementById('note'),misses=0;
function say(x){if(s.textContent!==x)s.textContent=x}
function later(ms){setTimeout(ask,ms)}
function ask(){fetch('/api/place',{headers:{'Accept-Language':d.documentElement.lang},credentials:'same-origin',cache:'no-store'})
.then(function(r){if(!r.ok)throw 0;return r.json()}).then(function(p){misses=0;
if(p.isIn){say(t.turn);e.textContent=t.turn;location.replace(t.to);return}
e.textContent=p.waitSeconds===null?t.cutOff:'';n.textContent=p.position>1?String(p.position-1):'0';w.textContent=p.waitText;a.textContent=p.asOf;
say(t.position+' '+Math.max(0,p.position-1)+' '+t.people+'. '+p.waitText+(e.textContent?'. '+e.textContent:''));later(p.askAgainMs)},
function(){misses+=1;e.textContent=t.retry;say(t.retry);later(Math.min(60000,3000*Math.pow(2,misses))*(.8+Math.random()*.4))})}
later(t.first)})()`

/** An address of this site, or the first page: nobody is sent elsewhere from here. */
export const ownAddress = (text: string | undefined): string =>
  text !== undefined && /^\/(?![/\\])[^\s\\]{0,500}$/.test(text) ? text : '/'

export interface WaitingPage {
  readonly html: string
  readonly script: string
}

/**
 * The waiting room: one small page that works without its script, by reloading itself.
 * @param to - where somebody goes whose turn it is
 */
export const waitingPage = (of: {
  readonly standing: Standing
  readonly language: Language
  readonly to: string
  /** Hours and minutes. */
  readonly asOf: string
}): WaitingPage => {
  const { standing, language, to, asOf } = of
  const t = texts[language]
  const lang = language === 'zh' ? 'zh-CN' : 'en'
  const other = language === 'zh' ? 'en' : 'zh'
  const own = `/waiting?to=${encodeURIComponent(to)}&lang=`
  const reloadSeconds = standing.isIn ? 0 : Math.max(5, Math.ceil(standing.askAgainMs / 1_000))
  const reload = standing.isIn ? `0;url=${escapeHtml(to)}` : `${reloadSeconds};url=${escapeHtml(own + language)}`
  const head = `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${t.title}</title><noscript><meta http-equiv="refresh" content="${reload}"></noscript><style>${style}</style></head><body><main>`
  const foot = `<footer><a href="${escapeHtml(own + other)}" lang="${other === 'zh' ? 'zh-CN' : 'en'}" hreflang="${other}">${t.other}</a><a href="/waiting/staff">${t.staff}</a></footer></main>`
  if (standing.isIn) {
    const goes = `location.replace(document.querySelector('a').getAttribute('href'))`
    return {
      html: `${head}<h1>${t.turn}</h1><p><a href="${escapeHtml(to)}">${t.go}</a></p></main><script>${goes}</script></body></html>`,
      script: goes,
    }
  }
  const { position, waitSeconds, askAgainMs } = standing
  const wait = waitText(waitSeconds, language)
  const said = { ...t, to, first: askAgainMs }
  const data = JSON.stringify(said).replaceAll('<', '\\u003c')
  return {
    html: `${head}<h1>${t.title}</h1><p>${t.lead}</p>
<dl><dt>${t.position}</dt><dd><span id="ahead">${position - 1}</span> ${t.people}</dd><dt>${t.wait}</dt><dd id="wait">${wait}</dd><dt>${t.asOf}</dt><dd id="at">${asOf}</dd></dl>
<p id="note">${waitSeconds === undefined ? t.cutOff : ''}</p><p class="soft">${t.keep}</p><p class="soft">${t.inside}</p><noscript><p class="soft">${t.script}</p></noscript>
<div id="say" class="sr" role="status" aria-live="polite"></div>${foot}
<script type="application/json" id="t">${data}</script><script>${script}</script></body></html>`,
    script,
  }
}
