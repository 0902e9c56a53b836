import { oss } from '#contract/file/oss.resource.ts'
import { storage } from '#contract/file/storage.routes.ts'
import { crudRoutes } from '#contract/kernel/crud-routes.ts'
import type { Field } from '#contract/kernel/field.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Route } from '#contract/kernel/route.ts'
import { crud } from '#kernel/crud/crud.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { cancelMove, startMove, tellPlaces } from './commands/order-move.ts'
import { removeStorages, saveStorage, switchOn, tryStorage } from './commands/save-storage.ts'
import type { StorageKit } from './deps.ts'

type Row = Readonly<Record<string, unknown>>
const own = crudRoutes(oss)

export const storageHandlers = (kit: StorageKit): readonly Handler[] => [
  ...crud(oss, {
    present: (ctx, row) => {
      const words = (oss.fields.status as Field).words?.[String(row['status'])]
      return { ...row, statusName: words === undefined ? '' : ctx.say(words) }
    },
  }),
  handle(own.submit as Route, ({ ctx, input }) => saveStorage(kit, ctx, input as Row)),
  handle(own.remove as Route, ({ ctx, input }) => removeStorages(kit, ctx, idsOf(String((input as Row)['ids'] ?? '')))),
  handle(storage.tryUpload, ({ ctx, input }) => tryStorage(kit, ctx, input.id)),
  handle(storage.enable, ({ ctx, input }) => switchOn(kit, ctx, input.id)),
  handle(storage.places, ({ ctx, input }) => tellPlaces(kit, ctx, input.all)),
  handle(storage.startMove, ({ ctx, input }) => startMove(kit, ctx, input.all)),
  handle(storage.cancelMove, ({ ctx, input }) => cancelMove(kit, ctx, input.all)),
]
