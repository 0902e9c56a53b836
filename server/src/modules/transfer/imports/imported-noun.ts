import { refuse } from '#contract/kernel/errors.ts'
import type { importCalls } from '#contract/transfer/import-calls.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { isRuled } from '#kernel/http/field-rule.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import { templateAnswer } from './cells.ts'
import type { Importer } from './importer.ts'
import type { ImportDefinition } from './run-import.ts'

/** A template and an import of what is known by a code and changed where it is there: for who sees all rows and fields of it. */
export const importedNoun = <T>(
  { createImporter }: Pick<Importer, 'createImporter'>,
  { run, template }: ReturnType<typeof importCalls>,
  definition: ImportDefinition<T>,
  resource: string,
): Handler[] => {
  const start = createImporter(definition)
  return [
    handle(template, ({ ctx }) => templateAnswer(ctx, definition)),
    handle(run, async ({ ctx, input }) =>
      isNarrowed(ctx.session, resource) || isRuled(ctx.session) ? refuse('kernel/whole-needed', {}) : start(ctx, run.path, input),
    ),
  ]
}
