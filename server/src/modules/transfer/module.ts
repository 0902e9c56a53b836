import type { TenantDb } from '#kernel/db/scope.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'
import { createExports, type Exports } from './exports/exports.ts'
import { createImports, type Importer } from './imports/importer.ts'

/** What comes in and goes out by workbooks: checked, mended on the screen, committed; or written in the background and fetched. */
export interface TransferModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Adds a kind of import (T6 …): protocol, progress, error workbook and template of domain 5.9. */
  readonly createImporter: Importer['createImporter']
  /** Workbooks that are sent at once or written in the background. */
  readonly exports: Pick<Exports, 'bind' | 'answer'>
}

export const createTransferModule = (
  services: Services,
  file: FileModule,
  parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>,
): TransferModule => {
  const imports = createImports(services, file)
  const exports = createExports(services, { parametersOf, file })
  return {
    handlers: [...imports.handlers, ...exports.handlers],
    tasks: [...imports.tasks, ...exports.tasks],
    createImporter: imports.createImporter,
    exports,
  }
}
