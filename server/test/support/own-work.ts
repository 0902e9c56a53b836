import type { Label } from '#contract/kernel/label.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { TestApp } from './app.ts'

/** Does a piece of the program's own work as its job would, now, for all tenants or one. @returns what the list of runs would say, and the log */
export const doWork = async (
  t: TestApp,
  name: string,
  tenantId: string = platformTenant,
): Promise<{ readonly result: string | Label; readonly log: readonly (string | Label)[] }> => {
  const processor = t.app.modules.processors.find(one => one.name === name)
  if (!processor) throw new Error(`there is no processor ${name}`)
  const log: (string | Label)[] = []
  const result = await processor.run({
    tenantId,
    params: '',
    item: undefined,
    attempt: 1,
    now: t.clock.now(),
    signal: new AbortController().signal,
    log: (_, text) => void log.push(text),
  })
  return { result, log }
}
