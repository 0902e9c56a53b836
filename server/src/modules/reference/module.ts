import { dictImports } from '#contract/reference/dict-import.routes.ts'
import { dictionary, dictionaryBiz } from '#contract/reference/dictionary.routes.ts'
import { importRegions, regionTemplate } from '#contract/reference/region-import.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { importedNoun, type TransferModule, templateAnswer } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import { listOffered } from './data/dict.repo.ts'
import { dictHandlers } from './dict.http.ts'
import { dictImport } from './imports/dicts.ts'
import { regionImport } from './imports/regions.ts'
import { regionHandlers } from './region.http.ts'

/** What all others refer to: dictionaries and regions. */
export interface ReferenceModule {
  readonly handlers: readonly Handler[]
}

export const createReferenceModule = (services: Services, transfer: TransferModule): ReferenceModule => {
  const runRegions = transfer.createImporter(regionImport)
  return {
    handlers: [
      ...regionHandlers(services),
      ...dictHandlers(services),
      handle(dictionary, ({ db, input }) => listOffered(db, 'dict', input.code)),
      handle(dictionaryBiz, ({ db, input }) => listOffered(db, 'dict_biz', input.code)),
      ...importedNoun(transfer, dictImports.dict, dictImport('dict'), 'dict'),
      ...importedNoun(transfer, dictImports.dictBiz, dictImport('dict_biz'), 'dictbiz'),
      handle(regionTemplate, ({ ctx }) => templateAnswer(ctx, regionImport)),
      handle(importRegions, ({ ctx, input: { isCovered = 0, ...input } }) =>
        runRegions(ctx, importRegions.path, { ...input, options: { isCovered } }),
      ),
    ],
  }
}
