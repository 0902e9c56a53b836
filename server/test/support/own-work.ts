import type { TestApp } from './app.ts'

/** Does a piece of the program's own work as its job would, now. @returns what the list of runs would say */
export const doWork = async (t: TestApp, name: string): Promise<string> => {
  const processor = t.app.modules.processors.find(one => one.name === name)
  if (!processor) throw new Error(`there is no processor ${name}`)
  return processor.run({
    tenantId: '000000',
    params: '',
    item: undefined,
    attempt: 1,
    now: t.clock.now(),
    signal: new AbortController().signal,
    log: () => {},
  })
}
