import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import { shareReads } from '#kernel/shared-reads.ts'
import { type AuthModule, accountKey, type StaffApplicant } from '#modules/auth/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'
import { deptSheetLabels } from './commands/export-depts.ts'
import { type DeptSheetFacts, type DeptSheetRow, deptSheetFacts, writeDepts } from './commands/import-depts.ts'
import { type DictSheetRow, dictSheetFacts, writeDicts } from './commands/import-dicts.ts'
import { type NounSheet, nounFacts, nounSheets, writeNouns } from './commands/import-nouns.ts'
import { regionSheetFacts, regionSheetLabels, writeRegions } from './commands/import-regions.ts'
import { addStaff, type StaffNames, type StaffRow, staffNames } from './commands/import-staff.ts'
import { lockTasks } from './commands/lock-users.ts'
import { registerStaff } from './commands/register-staff.ts'
import { listEntries } from './data/dict.repo.ts'
import { readParameters } from './data/param.repo.ts'
import { findOwnWords } from './data/profile.repo.ts'
import type { RegionValues } from './data/region.repo.ts'
import { findTenantByDomain, isTenant } from './data/tenant.repo.ts'
import { holdersOfRoles } from './data/user-admin.repo.ts'
import type { SystemDeps } from './deps.ts'
import { placeRows } from './domain/dept-sheet.ts'
import { type DictPlaceProblem, dictSheetLabels, placeDictRows } from './domain/dict-sheet.ts'
import { placeRegions, type RegionPlaceProblem } from './domain/region-place.ts'
import { systemHandlers } from './http.ts'

export { type AppealPlace, type Appellant, appealKey, openAppeal, withAppeal } from './commands/open-appeal.ts'
export { voidPassword } from './data/profile.repo.ts'
export { regionName } from './region-name.ts'

export interface DictionaryEntry {
  readonly key: string
  readonly zh: string
  readonly en: string
}

export interface SystemModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Learns how the other modules answer their lists, for whoever looks at what somebody would see. */
  readonly bind: (handlers: readonly Handler[]) => void
  readonly parameters: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>
  /** Entries of business dictionaries by code, sealed ones included so that old records keep their text. */
  readonly dictionaries: (db: TenantDb, codes: readonly string[]) => Promise<Readonly<Record<string, readonly DictionaryEntry[]>>>
  /** Somebody asks for an account of a member of staff (grant `register`). */
  readonly registerStaff: (ctx: Ctx, applicant: StaffApplicant) => Promise<void>
  /** The tenant of a call without a session: named and live, else by host, else the first (decision 4.6). */
  readonly tenantOf: (request: { named: string | undefined; host: string }) => Promise<string>
  /** Accounts of staff out of a workbook. */
  readonly staff: {
    readonly names: (db: TenantDb, userId: string) => Promise<StaffNames>
    readonly add: (
      db: TenantDb,
      rows: readonly StaffRow[],
      by: { readonly importId: string; readonly progress: (done: number) => Promise<void> },
    ) => Promise<number>
  }
  /** Departments out of a workbook. */
  readonly depts: {
    readonly labels: typeof deptSheetLabels
    readonly facts: (db: TenantDb) => Promise<DeptSheetFacts>
    readonly place: typeof placeRows
    readonly write: typeof writeDepts
  }
  /** Dictionaries out of a workbook. */
  readonly dicts: {
    readonly labels: typeof dictSheetLabels
    readonly facts: typeof dictSheetFacts
    readonly place: typeof placeDictRows
    readonly write: typeof writeDicts
  }
  /** Plain nouns out of a workbook. */
  readonly nouns: typeof nounSheets & { readonly facts: typeof nounFacts; readonly write: typeof writeNouns }
  /** Regions out of a workbook. */
  readonly regions: {
    readonly labels: typeof regionSheetLabels
    readonly facts: typeof regionSheetFacts
    readonly place: typeof placeRegions
    readonly write: typeof writeRegions
  }
  /** A notice to everybody who runs the platform or watches over it. */
  readonly tellOperators: (db: TenantDb, notice: Omit<Parameters<MessageModule['notify']>[1], 'userId'>) => Promise<void>
  /** Forgets which address belongs to which tenant. */
  readonly clearCache: () => void
}

export { menuTitles } from './commands/grant-role.ts'
export { oneTimeHours, oneTimePassword } from './commands/one-time-password.ts'
export { listAllMenus } from './data/menu-admin.repo.ts'
export { userScope } from './data/organisation-scope.ts'
export { inNameOf } from './data/platform-scope.ts'
export { deptPath } from './domain/dept-sheet.ts'
export type { DeptSheetRow, DictPlaceProblem, DictSheetRow, NounSheet, RegionPlaceProblem, RegionValues, StaffNames, StaffRow }
export { platformTenant }

/** A tenant's domain changes rarely; calls before login ask for it each time. */
const tenantCacheMs = 5_000

const readWords = async ({ cipher }: Services, db: TenantDb, userId: string): Promise<readonly string[]> => {
  const { account, phoneSealed, tenantName } = await findOwnWords(db, userId)
  const place = { table: 'account', column: 'phone_sealed', rowId: userId }
  return [account, tenantName, ...(phoneSealed ? [cipher.open(db.actor.tenantId, place, phoneSealed)] : [])]
}

export const createSystemModule = (
  services: Services,
  auth: AuthModule,
  files: FileModule,
  message: MessageModule,
  fillTenant: (db: TenantDb) => Promise<void>,
): SystemModule => {
  const common = new Set(
    readFileSync(fileURLToPath(new URL('../../../seed/data/common-passwords.txt', import.meta.url)), 'utf8').split('\n'),
  )
  const tenants = shareReads(
    (call: string): Promise<string> => {
      const [named = '', host = ''] = JSON.parse(call) as string[]
      return services.scopes.asPlatform('a call before login belongs to a tenant by its address', services.clock.now(), async db => {
        if (named && (await isTenant(db, named))) return named
        return (await findTenantByDomain(db, host))?.tenantId ?? platformTenant
      })
    },
    { clock: services.clock, maxAgeMs: tenantCacheMs, maxEntries: 1_000 },
  )
  let bound: ReadonlyMap<string, Handler> = new Map()
  const deps: SystemDeps = {
    services,
    auth: { ...auth, accountKey },
    files,
    message,
    fillTenant,
    parameters: readParameters,
    isCommonPassword: password => common.has(password),
    wordsOf: (db, userId) => readWords(services, db, userId),
  }
  return {
    handlers: systemHandlers(deps, place => bound.get(place)),
    tasks: lockTasks(deps),
    registerStaff: (ctx, applicant) => registerStaff(deps, ctx, applicant),
    bind: handlers => {
      bound = new Map(handlers.map(handler => [`${handler.route.method} ${handler.route.path}`, handler]))
    },
    parameters: readParameters,
    dictionaries: async (db, codes) => {
      const rows = await listEntries(db, codes)
      const groups: Record<string, DictionaryEntry[]> = Object.fromEntries(codes.map(code => [code, []]))
      for (const { code, ...entry } of rows) groups[code]?.push(entry)
      return groups
    },
    staff: { names: staffNames, add: (db, rows, by) => addStaff(services, db, rows, by) },
    depts: { labels: deptSheetLabels, facts: deptSheetFacts, place: placeRows, write: writeDepts },
    dicts: { labels: dictSheetLabels, facts: dictSheetFacts, place: placeDictRows, write: writeDicts },
    nouns: { ...nounSheets, facts: nounFacts, write: writeNouns },
    regions: { labels: regionSheetLabels, facts: regionSheetFacts, place: placeRegions, write: writeRegions },
    tellOperators: async (db, notice) => {
      for (const userId of await holdersOfRoles(db, ['administrator', 'admin', 'secadmin', 'auditor']))
        await message.notify(db, { ...notice, userId })
    },
    clearCache: tenants.clear,
    tenantOf: ({ named, host }) => tenants.of(JSON.stringify([named ?? '', host])),
  }
}
