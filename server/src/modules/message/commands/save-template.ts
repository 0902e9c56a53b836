import { refuseField } from '#contract/kernel/errors.ts'
import { templateProblem } from '#contract/message/check-template.ts'
import { refuseMessage } from '#contract/message/message.errors.ts'
import { batchScene, sceneOf } from '#contract/message/scenes.ts'
import { bareSign, templateNumbers } from '#contract/message/sms.resource.ts'
import { foreignLinks, variablesOf } from '#contract/message/wording.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import { findServiceOn } from '../data/service.repo.ts'
import { findSceneTemplate } from '../data/template.repo.ts'
import type { MessageKit } from '../deps.ts'
import { tellIfPlatforms } from './save-service.ts'

/** Words are judged when they are saved: what a message could not be made of is refused here. An event has one template in use. */
export const templateRows = (kit: MessageKit): CrudSeams => ({
  afterWrite: ({ db }) => tellIfPlatforms(db),
  prepare: async ({ ctx, db, input, before }) => {
    const value = (name: string): string => String(input[name] ?? before?.[name] ?? '')
    const scene = value('scene')
    if (scene !== batchScene && !sceneOf(scene)) return refuseField('scene', { zh: '请选择用途', en: 'Please choose what it is used for' })
    const found = templateProblem({
      scene,
      title: value('title'),
      content: value('content'),
      titleEn: value('titleEn'),
      contentEn: value('contentEn'),
    })
    if (found) return { ...found.refusal, data: { fields: [{ field: found.field, msg: found.refusal.text[ctx.language] }] } }
    const hosts = await kit.deps.ownHosts(db)
    for (const field of ['title', 'content', 'titleEn', 'contentEn']) {
      const [link] = foreignLinks(value(field), hosts)
      if (link === undefined) continue
      const refusal = refuseMessage('sms/link', { link })
      return { ...refusal, data: { fields: [{ field, msg: refusal.text[ctx.language] }] } }
    }
    const isUsed = Number(input['status'] ?? before?.['status'] ?? 1) === 1
    const twin = isUsed ? await findSceneTemplate(db, scene) : undefined
    if (twin && twin.id !== before?.['id'])
      return refuseField('scene', {
        zh: `“${twin.name}”已用于该通知，请先停用它`,
        en: `“${twin.name}” is used for this notice: take it out of use first`,
      })
    const number = value('templateId')
    const service = number === '' ? undefined : await findServiceOn(db)
    const numbers = service && templateNumbers[service.category]
    if (numbers && !numbers.form.test(number)) {
      const refusal = refuseMessage('sms/template-number', { number, sample: numbers.sample })
      return { ...refusal, data: { fields: [{ field: 'templateId', msg: refusal.text[ctx.language] }] } }
    }
    const texts = ['title', 'content', 'titleEn', 'contentEn'].map(value)
    const sign = typeof input['signName'] === 'string' ? { signName: bareSign(input['signName']) } : {}
    return { ...input, ...sign, vars: [...new Set(texts.flatMap(variablesOf))].join(',') }
  },
})
