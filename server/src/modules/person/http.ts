import { refuse } from '#contract/kernel/errors.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import {
  accessLog,
  cancelClosing,
  closeAccount,
  closingState,
  exportOwnData,
  reminders,
  setReminders,
} from '#contract/person/person.routes.ts'
import { keepSettings, ownSettings } from '#contract/person/settings.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { cancelOwnClosing, requestOwnClosing, viewClosing } from './commands/close-account.ts'
import { exportOwn } from './commands/export-own.ts'
import { keepOwnSettings } from './commands/own-settings.ts'
import { pageAccess } from './data/access.repo.ts'
import { listSettings } from './data/setting.repo.ts'
import { isSubscribed, subscribe } from './data/subscription.repo.ts'
import type { PersonDeps } from './deps.ts'

export const personHandlers = (deps: PersonDeps): Handler[] => [
  handle(accessLog, async ({ ctx, input }) => {
    const { session } = ctx
    if (!session) return refuse('kernel/no-token', {})
    const { current, size, offset } = sliceOf(input)
    const { rows, total } = await ctx.asSystem('the audit log answers to the person it is about', db =>
      pageAccess(db, session.userId, ctx.language, size, offset),
    )
    return toPage(
      rows.map(row => ({ ...row, time: toWireTime(row.time) })),
      total,
      current,
      size,
    )
  }),
  handle(exportOwnData, ({ ctx, input }) => exportOwn(deps, ctx, input.password)),
  handle(closingState, ({ db }) => viewClosing(db, db.actor.userId)),
  handle(closeAccount, ({ ctx, input }) => requestOwnClosing(deps, ctx, input.password)),
  handle(cancelClosing, ({ ctx, db }) => cancelOwnClosing(ctx, db)),
  handle(reminders, async ({ db }) => ({ on: await isSubscribed(db) })),
  handle(setReminders, async ({ db, input }) => {
    await subscribe(db, input.on === 1)
    return { on: input.on === 1 }
  }),
  handle(ownSettings, async ({ db }) => ({ settings: await listSettings(db) })),
  handle(keepSettings, async ({ db, input }) => {
    const kept = await keepOwnSettings(db, input.settings)
    return isRefusal(kept) ? kept : { kept }
  }),
]
