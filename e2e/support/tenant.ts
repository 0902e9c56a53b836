import { platformTenant } from '#contract/kernel/platform.ts'

let current: string = platformTenant

/** The tenant of the test file that runs: one of its own on the shared server (`sharedServer`), the first one of an installation on a server of its own. */
export const ownTenant = (): string => current

/** From now on the file is about this tenant; `each-file.ts` takes it back. */
export const becomeTenant = (tenantId: string): void => {
  current = tenantId
}
