import { examResources } from '#contract/exam/exam.resources.ts'
import type { Resource } from '#contract/kernel/resource.ts'

/** The declared noun whose screen is at a menu path. */
export const resourceAt = (menuPath: string): Resource => {
  const found = examResources.find(resource => resource.menuPath === menuPath)
  if (found === undefined) throw new Error(`no resource is declared for ${menuPath}`)
  return found
}
