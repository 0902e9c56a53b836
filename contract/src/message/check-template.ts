import type { Refusal } from '../kernel/refusal.ts'
import { refuseMessage } from './message.errors.ts'
import { sceneOf } from './scenes.ts'
import { miswritten, variablesOf } from './wording.ts'

const written = (names: readonly string[]): string => names.map(name => `\${${name}}`).join('、')

/** Whether words can be sent: judged when they are saved, so that no message finds out. The field that is wrong comes with it. */
export const templateProblem = (template: {
  readonly scene: string
  readonly title: string
  readonly content: string
  readonly titleEn: string
  readonly contentEn: string
}): { readonly field: string; readonly refusal: Refusal } | undefined => {
  const fields = ['title', 'content', 'titleEn', 'contentEn'] as const
  for (const field of fields) {
    const found = miswritten(template[field])
    if (found !== undefined) return { field, refusal: refuseMessage('template/variable-written', { found, example: '${exam}' }) }
  }
  const scene = sceneOf(template.scene)
  if (!scene) return undefined
  const known = scene.variables.map(({ name }) => name)
  for (const field of fields) {
    const strange = variablesOf(template[field]).filter(name => !known.includes(name))
    if (strange.length > 0)
      return { field, refusal: refuseMessage('template/variable-unknown', { names: written(strange), known: written(known) || '—' }) }
  }
  const needed = scene.variables.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)
  for (const field of ['content', 'contentEn'] as const) {
    if (template[field] === '') continue
    const missing = needed.filter(name => !variablesOf(template[field]).includes(name))
    if (missing.length > 0) return { field, refusal: refuseMessage('template/variable-missing', { names: written(missing) }) }
  }
  return undefined
}
