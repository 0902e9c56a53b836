import type { Language } from '#contract/kernel/label.ts'
import { escapeHtml } from '#kernel/http/public-page.ts'

export interface TicketPageFacts {
  readonly isValid: boolean
  readonly reason: string
  readonly examName: string
  readonly name: string
  readonly idCard: string
  readonly ticketNo: string
  readonly version: string
  readonly checkedAt: string
}

const texts = {
  zh: {
    title: '准考证查验',
    valid: '有效',
    invalid: '无效',
    unknown: '未找到该准考证',
    unknownHint: '二维码不完整、准考证尚未发布，或者不是由本平台签发。',
    exam: '考试',
    name: '姓名',
    idCard: '证件号码',
    ticketNo: '准考证号',
    version: '当前版本',
    checkedAt: '查验时间',
    hint: '请核对纸面版本与当前版本是否一致；不一致的，以本页为准。',
  },
  en: {
    title: 'Ticket check',
    valid: 'Valid',
    invalid: 'Not valid',
    unknown: 'No such ticket',
    unknownHint: 'The code is incomplete, the ticket has not been released, or it was not issued here.',
    exam: 'Examination',
    name: 'Name',
    idCard: 'Id number',
    ticketNo: 'Ticket number',
    version: 'Current version',
    checkedAt: 'Checked at',
    hint: 'Compare the version on the paper with the current one; if they differ, this page counts.',
  },
} as const

const style = `
:root{color-scheme:light dark;--bg:#f1f5f9;--card:#fff;--ink:#0f172a;--soft:#475569;--line:#e2e8f0;--ok:#15803d;--no:#b91c1c}
@media(prefers-color-scheme:dark){:root{--bg:#0b1220;--card:#111a2c;--ink:#e2e8f0;--soft:#94a3b8;--line:#22304a;--ok:#4ade80;--no:#f87171}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:20px;background:var(--bg);color:var(--ink);
font:16px/1.6 -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif}
main{width:100%;max-width:440px;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:28px 24px;box-shadow:0 8px 30px rgb(15 23 42/.08)}
h1{margin:0 0 18px;font-size:15px;font-weight:500;color:var(--soft);text-align:center}
.state{display:flex;align-items:center;justify-content:center;gap:12px;margin:0 0 6px;font-size:28px;font-weight:700}
.state svg{width:40px;height:40px;flex:none}.ok{color:var(--ok)}.no{color:var(--no)}
.why{margin:0 0 18px;text-align:center;color:var(--soft)}
dl{margin:18px 0 0;border-top:1px solid var(--line)}dl div{display:flex;gap:16px;padding:10px 0;border-bottom:1px solid var(--line)}
dt{flex:0 0 92px;color:var(--soft)}dd{margin:0;font-weight:600;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
footer{margin-top:16px;font-size:13px;color:var(--soft)}`

const mark = (isOk: boolean): string =>
  `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="12" cy="12" r="10"/>${
    isOk ? '<path d="m7.5 12.5 3 3 6-6.5"/>' : '<path d="m8.5 8.5 7 7m0-7-7 7"/>'
  }</svg>`

/** The page behind the QR of a ticket, complete in itself; without facts it says that there is no such ticket. */
export const ticketPage = (language: Language, facts: TicketPageFacts | undefined): string => {
  const t = texts[language]
  const state = facts ? (facts.isValid ? t.valid : t.invalid) : t.unknown
  const isOk = facts?.isValid === true
  const rows = facts
    ? [
        [t.exam, facts.examName],
        [t.name, facts.name],
        [t.idCard, facts.idCard],
        [t.ticketNo, facts.ticketNo],
        [t.version, facts.version],
        [t.checkedAt, facts.checkedAt],
      ]
    : []
  const why = facts ? facts.reason : t.unknownHint
  return `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${t.title}</title><style>${style}</style></head><body><main><h1>${t.title}</h1>
<p class="state ${isOk ? 'ok' : 'no'}" role="status">${mark(isOk)}${escapeHtml(state)}</p>${why === '' ? '' : `<p class="why">${escapeHtml(why)}</p>`}
${rows.length > 0 ? `<dl>${rows.map(([name = '', value = '']) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>` : ''}
${isOk ? `<footer>${t.hint}</footer>` : ''}</main></body></html>`
}
