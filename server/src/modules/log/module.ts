import { leastKeptDays, type PurgedKind } from '#contract/log/log.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { logInvariants } from './data/invariants.repo.ts'
import { logHandlers } from './http.ts'
import { platformActs } from './jobs/platform-acts.ts'
import { purgeProcessor, purgeTasks } from './jobs/purge.ts'
import { createLines, defaultLogSettings, type Lines, type LogDeps, type LogSettings } from './lines.ts'

export interface LogModule extends Lines {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
}

/** Parameters of a tenant's logs. */
export const logParameters = ['log.apiScope', 'log.usualLevel', 'log.usualDays', 'log.apiDays', 'log.errorDays', 'log.loginDays'] as const

/** What the values of the parameters mean; what cannot be read is the default, and no log is kept shorter than it must be. */
export const logSettingsOf = (values: Readonly<Record<string, string>>): LogSettings => {
  const { apiScope, usualLevel, days } = defaultLogSettings
  const scope = values['log.apiScope']
  const level = Number(values['log.usualLevel'] || usualLevel)
  const daysOf = (kind: PurgedKind): number => {
    const wanted = Number(values[`log.${kind}Days`] || days[kind])
    return Math.max(leastKeptDays[kind], Number.isInteger(wanted) ? wanted : days[kind])
  }
  return {
    apiScope: scope === 'off' || scope === 'all' || scope === 'changes' ? scope : apiScope,
    usualLevel: Number.isInteger(level) ? level : usualLevel,
    days: { usual: daysOf('usual'), api: daysOf('api'), error: daysOf('error'), login: daysOf('login') },
  }
}

export const createLogModule = (deps: LogDeps): LogModule => {
  const lines = createLines(deps)
  const purging = { services: deps.services, lines, settings: deps.settings }
  return {
    ...lines,
    invariants: logInvariants,
    handlers: logHandlers(deps.services),
    tasks: [...purgeTasks(purging), platformActs(deps.services) as Task],
    processors: [purgeProcessor(purging)],
  }
}
