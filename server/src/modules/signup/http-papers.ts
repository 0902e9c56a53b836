import { exportFiles, exportForms } from '#contract/signup/papers.routes.ts'
import { type Handler, handleExport } from '#kernel/http/context.ts'
import { planFiles } from './commands/export-files.ts'
import { planForms } from './commands/export-forms.ts'
import type { SignupContext } from './deps.ts'

/** Papers of people: forms to print, and copies of what they uploaded. */
export const paperHandlers = (deps: SignupContext): Handler[] => [
  handleExport(exportForms, ({ ctx, input }) => planForms(deps, ctx, input)),
  handleExport(exportFiles, ({ ctx, input }) => planFiles(deps, ctx, input)),
]
