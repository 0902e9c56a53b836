import { importKindOf } from '#contract/kernel/import-kind.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { nounImportCalls } from '#contract/transfer/import-calls.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { SheetBook } from '#kernel/sheet/write-sheet.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'
import { createExports, type Exports } from './exports/exports.ts'
import { importedNoun } from './imports/imported-noun.ts'
import { createImports, type Importer } from './imports/importer.ts'
import { emptyBook, nounImport, type ReadDictionaries } from './nouns/noun-import.ts'
import type { NounRules } from './nouns/write-nouns.ts'

/** What comes in and goes out by workbooks: checked, mended on the screen, committed; or written in the background and fetched. */
export interface TransferModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Adds a kind of import (T6 …): protocol, progress, error workbook and template of domain 5.9. */
  readonly createImporter: Importer['createImporter']
  /** The calls of a plain noun that comes in by its declaration (`workbook`); of any other none. */
  readonly nounImport: (resource: Resource, rules?: NounRules) => readonly Handler[]
  /** The workbook that is filled in for it. */
  readonly nounBook: (resource: Resource, ctx: Ctx) => Promise<SheetBook>
  /** Kinds that there is an importer for. */
  readonly importKinds: () => readonly string[]
  /** Workbooks that are sent at once or written in the background. */
  readonly exports: Pick<Exports, 'bind' | 'answer'>
}

export const createTransferModule = (
  services: Services,
  file: FileModule,
  {
    parametersOf,
    readDictionaries,
  }: {
    readonly parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>
    readonly readDictionaries: ReadDictionaries
  },
): TransferModule => {
  const imports = createImports(services, file)
  const exports = createExports(services, { parametersOf, file })
  const ofNoun: TransferModule['nounImport'] = (resource, rules = {}) => {
    const [kind, calls, key] = [importKindOf(resource), nounImportCalls(resource), resource.workbook?.key]
    if (!kind || !calls || key === undefined) return []
    return importedNoun(imports, calls, nounImport(readDictionaries, kind, { resource, key, ...rules }), resource.permission)
  }
  const nounBook: TransferModule['nounBook'] = (resource, ctx) => ctx.tx(db => emptyBook(readDictionaries, resource, db, ctx))
  return {
    nounBook,
    handlers: [...imports.handlers, ...exports.handlers],
    tasks: [...imports.tasks, ...exports.tasks],
    createImporter: imports.createImporter,
    nounImport: ofNoun,
    importKinds: imports.kinds,
    exports,
  }
}
