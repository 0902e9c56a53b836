import type { Language } from '#contract/kernel/label.ts'

/** Markup that is safe to send: every value put into `html` is escaped unless it is markup itself. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Part[] | false | null | undefined

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? character)
const write = (part: Part): string => {
  if (part === false || part === null || part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return part.map(write).join('')
}

export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(texts.map((text, at) => text + write(parts[at])).join(''))

/** The product's colours and measures, without its scripts: these pages are read once and left. */
const style = `
:root { color-scheme: light dark; --page:#f4f6fa; --card:#fff; --text:#1f2329; --soft:#4b5563; --line:#d5dae3; --primary:#1668dc; --good:#237804; --warn:#ad4e00 }
@media (prefers-color-scheme: dark) { :root { --page:#12161d; --card:#1b212b; --text:#e8ebf0; --soft:#b3bcc9; --line:#384150; --primary:#2f7df0; --good:#6fcf4f; --warn:#f0a35e } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif }
main { max-width: 560px; margin: 0 auto; padding: 24px 16px 48px; display: grid; gap: 16px }
main.wide { max-width: 760px }
h1 { font-size: 22px; margin: 0 }
h2 { font-size: 16px; margin: 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px; display: grid; gap: 12px }
.amount { font-size: 36px; font-weight: 600; font-variant-numeric: tabular-nums; margin: 0 }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0 }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
p { margin: 0 }
.soft { color: var(--soft); font-size: 14px }
.good { color: var(--good); font-weight: 600 }
.warn { color: var(--warn); font-weight: 600 }
form { display: grid; gap: 8px }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 8px }
button { font: inherit; font-weight: 600; min-height: 48px; border-radius: 8px; border: 1px solid var(--primary); background: #1668dc; color: #fff; cursor: pointer; padding: 8px 16px }
button.plain { background: transparent; color: var(--text); border-color: var(--line) }
button:focus-visible, a:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px }
button:disabled { opacity: .5; cursor: default }
a { color: var(--primary) }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 12px }
`

export interface Page {
  readonly title: string
  readonly body: Html
  readonly language: Language
  readonly wide?: boolean
}

export const page = ({ title, body, language, wide }: Page): string =>
  `<!doctype html>${
    html`<html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg"><title>${title}</title><style>${new Html(style)}</style></head><body><main class="${wide ? 'wide' : ''}"><h1>${title}</h1>${body}</main></body></html>`
      .text
  }`
