import { invariants } from '#contract/installation/invariant.routes.ts'
import { setup } from '#contract/installation/setup.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { healRows, listChecks, listFindings, startCheck, stopCheck } from './commands/ask.ts'
import { leaveOutOfSetup, listSetup, trySetup } from './commands/setup.ts'
import type { InstallationKit } from './deps.ts'

export const installationHandlers = (kit: InstallationKit): readonly Handler[] => [
  handle(invariants.list, ({ ctx }) => listChecks(kit, ctx)),
  handle(invariants.findings, ({ ctx, input }) => listFindings(kit, ctx, input)),
  handle(invariants.start, ({ ctx }) => startCheck(ctx)),
  handle(invariants.stop, ({ ctx }) => stopCheck(ctx)),
  handle(setup.list, ({ ctx }) => listSetup(kit, ctx)),
  handle(setup.attempt, ({ ctx, input }) => trySetup(kit, ctx, input.step)),
  handle(setup.leaveOut, ({ ctx, input }) => leaveOutOfSetup(kit, ctx, input.step)),
  handle(invariants.heal, ({ ctx, input }) => healRows(kit, ctx, input)),
]
