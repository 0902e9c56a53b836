import { refuseField } from '#contract/kernel/errors.ts'
import { templateProblem } from '#contract/message/check-template.ts'
import { batchScene, sceneOf } from '#contract/message/scenes.ts'
import { variablesOf } from '#contract/message/wording.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import { findSceneTemplate } from '../data/template.repo.ts'

/** Words are judged when they are saved: what a message could not be made of is refused here. An event has one template in use. */
export const templateRows: CrudSeams = {
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
    const isUsed = Number(input['status'] ?? before?.['status'] ?? 1) === 1
    const twin = isUsed ? await findSceneTemplate(db, scene) : undefined
    if (twin && twin.id !== before?.['id'])
      return refuseField('scene', {
        zh: `“${twin.name}”已用于该通知，请先停用它`,
        en: `“${twin.name}” is used for this notice: take it out of use first`,
      })
    const texts = ['title', 'content', 'titleEn', 'contentEn'].map(value)
    return { ...input, vars: [...new Set(texts.flatMap(variablesOf))].join(',') }
  },
}
