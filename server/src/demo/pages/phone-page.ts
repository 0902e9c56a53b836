import { type Label, type Language, label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { html, page } from './html.ts'

interface Message {
  readonly phoneMask: string
  readonly content: string
  readonly state: number
  readonly createdAt: Date
}

const texts = {
  title: label('已发送的短信', 'Text messages sent'),
  none: label('还没有发送过短信。', 'No message has been sent yet.'),
  hint: label(
    '演示环境不会真正发送短信；本机构最近 100 条显示在这里。',
    'A demo sends no real messages; the last 100 of your organisation are shown here.',
  ),
} satisfies Readonly<Record<string, Label>>

const stateText: readonly Label[] = [
  label('待发', 'Waiting'),
  label('已提交', 'Sent'),
  label('已送达', 'Delivered'),
  label('失败', 'Failed'),
  label('已取消', 'Cancelled'),
]

export const readMessages = (db: TenantDb): Promise<readonly Message[]> =>
  db.all(sql<Message>`
    select phone_mask as "phoneMask", content, state, created_at as "createdAt" from sms_message order by id desc limit 100`)

export const phonePage = (messages: readonly Message[], language: Language): string => {
  const rows = messages.map(
    message => html`<li class="card"><p>${message.content}</p>
      <p class="soft">${message.phoneMask} · ${toWireTime(message.createdAt)} · ${(stateText[message.state] ?? stateText[0])?.[language]}</p></li>`,
  )
  return page({
    title: texts.title[language],
    language,
    wide: true,
    body: html`<p class="soft">${texts.hint[language]}</p>${rows.length === 0 ? html`<p>${texts.none[language]}</p>` : html`<ul>${rows}</ul>`}`,
  })
}
