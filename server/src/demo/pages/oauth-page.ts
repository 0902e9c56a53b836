import { type Label, type Language, label } from '#contract/kernel/label.ts'
import type { AuthorizeRequest } from '../oauth-emulator/emulator.ts'
import type { OauthClient } from '../oauth-emulator/people.ts'
import { html, page } from './html.ts'

const texts = {
  title: label('选择登录身份', 'Choose who you are'),
  hint: label('这是演示环境的模拟登录页，人物均为虚构。', 'A stand-in for a provider of identities. The people are made up.'),
  asks: label('考谱请求使用您的账号和姓名登录。', 'Kaopu asks for your account and your name to log you in.'),
  cancel: label('取消', 'Cancel'),
  problem: label('无法继续登录', 'The login cannot go on'),
  'unknown-client': label('应用未登记。', 'The application is not registered.'),
  'wrong-redirect': label(
    '返回地址与登记的不一致，已停止登录。',
    'The return address is not the registered one, so the login was stopped.',
  ),
} satisfies Readonly<Record<string, Label>>

/** What a provider shows before it lets somebody in: who is asking, and who one is. */
export const authorizePage = (client: OauthClient, request: AuthorizeRequest, language: Language): string => {
  const fields = Object.entries({ ...request, lang: language }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return page({
    title: texts.title[language],
    language,
    body: html`<div class="card"><p><strong>${client.name[language]}</strong></p><p>${texts.asks[language]}</p>
      <form method="post" action="/demo/oauth/authorize">${fields}
        ${client.people.map(person => html`<button type="submit" name="sub" value="${person.sub}">${person.name} · ${person.account}</button>`)}
        <button type="submit" class="plain" name="sub" value="">${texts.cancel[language]}</button>
      </form></div><p class="soft">${texts.hint[language]}</p>`,
  })
}

export const authorizeProblemPage = (problem: 'unknown-client' | 'wrong-redirect', language: Language): string =>
  page({
    title: texts.problem[language],
    language,
    body: html`<div class="card"><p class="warn" role="alert">${texts[problem][language]}</p></div><p class="soft">${texts.hint[language]}</p>`,
  })
