import { batchTemplateSeeds, demoSmsAccount, smsSceneSeeds } from '#modules/message/index.ts'
import type { EmulatedAccount } from './rules.ts'

/** The same text as Tencent numbers its places. */
const numbered = (text: string): string => {
  const names: string[] = []
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `{${names.indexOf(name) + 1}}`
  })
}

/** What a demo's accounts have registered: the texts that its tenants begin with, at both wires. `site`: address of the installation. */
export const demoAccounts = (site: string): readonly EmulatedAccount[] => {
  const texts = [...smsSceneSeeds(site), ...batchTemplateSeeds].filter(({ templateId }) => templateId !== '')
  const { accessKey, secretKey, appId, signName } = demoSmsAccount
  return [
    { accessKey, secretKey, appId, signs: [signName], templates: new Map(texts.map(({ templateId, content }) => [templateId, content])) },
    {
      accessKey: `${accessKey}-tencent`,
      secretKey,
      appId,
      signs: [signName],
      templates: new Map(texts.map(({ templateId, content }) => [templateId.replace('SMS_', ''), numbered(content)])),
    },
  ]
}
