import type { Refusal } from '../kernel/refusal.ts'
import { longestMessage, longestText } from './fit.ts'
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
  const most = longestText(template.scene, template.content)
  if (most > longestMessage)
    return { field: 'content', refusal: refuseMessage('template/too-long', { characters: String(most), most: String(longestMessage) }) }
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
  for (const { name, path } of scene.variables)
    for (const field of ['content', 'contentEn'] as const) {
      const variable = `\${${name}}`
      const uses = template[field].split(variable).slice(0, -1)
      if (path !== undefined && uses.some(before => !before.endsWith(path)))
        return {
          field,
          refusal: refuseMessage('template/variable-path', { name: written([name]), address: `https://…${path}${variable}` }),
        }
    }
  return undefined
}
