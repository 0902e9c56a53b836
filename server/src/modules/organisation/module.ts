import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keeperRoles } from '#contract/access/role.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { deptTemplate, importDepts } from '#contract/organisation/dept-import.routes.ts'
import { importUsers, userTemplate } from '#contract/organisation/user-import.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Holding } from '#kernel/holding.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { isRuled } from '#kernel/http/field-rule.ts'
import { forgetAfterWrites } from '#kernel/http/kept-answers.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import type { Invariant } from '#kernel/invariant.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { StaffApplicant } from '#modules/auth/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import { templateAnswer } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import { accountHandlers } from './account.http.ts'
import { applyOpeningTask } from './commands/account-change.ts'
import { lockTasks, lockUsers, unlockUsers } from './commands/lock-users.ts'
import { registerStaff } from './commands/register-staff.ts'
import { organisationHoldings } from './data/holdings.repo.ts'
import { organisationInvariants } from './data/invariants.repo.ts'
import { findOwnWords } from './data/profile.repo.ts'
import { holdersOfRoles } from './data/user-admin.repo.ts'
import type { OrganisationDeps } from './deps.ts'
import { deptHandlers } from './dept.http.ts'
import { createDeptNodes } from './dept-nodes.ts'
import { deptImport } from './imports/depts.ts'
import { userImport } from './imports/users.ts'
import { userHandlers } from './user.http.ts'
import { workOfOthers } from './work-check.ts'

/**
 * The queue writes it, and it may put people anywhere, with any role whose buttons the importer has: only for who sees all rows of accounts, and,
 * unless they keep the tenant's rights, every row and field of whatever else they see.
 */
const mayImportUsers = ({ session }: Ctx): boolean => {
  if (!session || isNarrowed(session, 'user')) return false
  if (keeperRoles.some(alias => session.roleAliases.has(alias))) return true
  return session.departments === null && !session.rowRules.some(({ resource }) => isNarrowed(session, resource)) && !isRuled(session)
}

type Locking = Parameters<typeof lockUsers>[3]
type Unlocking = Parameters<typeof unlockUsers>[2]

/** Who works here: accounts, departments, duty posts. */
export interface OrganisationModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly holdings: readonly Holding[]
  /** Every kind of open work that names people, of all modules: bound when the program is composed. */
  readonly allHoldings: () => readonly Holding[]
  readonly bind: (holdings: readonly Holding[]) => void
  readonly tasks: readonly Task[]
  /** Somebody asks for an account of a member of staff (grant `register`). */
  readonly registerStaff: (ctx: Ctx, applicant: StaffApplicant) => Promise<void>
  readonly lock: (ctx: Ctx, db: TenantDb, input: Locking) => Promise<{ changed: number }>
  readonly unlock: (ctx: Ctx, db: TenantDb, input: Unlocking) => Promise<{ changed: number }>
  /** A department is not what it was. */
  readonly deptChanged: (tenantId: string, id: string) => void
  /** Something may have changed that nobody told of. */
  readonly forget: () => void
  /** A notice to everybody who runs the platform or watches over it. */
  readonly tellOperators: (db: TenantDb, notice: Omit<Parameters<MessageModule['notify']>[1], 'userId'>) => Promise<void>
}

const readWords = async ({ cipher }: Services, db: TenantDb, userId: string): Promise<readonly string[]> => {
  const { account, phoneSealed, tenantName } = await findOwnWords(db, userId)
  const place = { table: 'account', column: 'phone_sealed', rowId: userId }
  return [account, tenantName, ...(phoneSealed ? [cipher.open(db.actor.tenantId, place, phoneSealed)] : [])]
}

const importHandlers = ({ services, transfer }: OrganisationDeps): Handler[] => {
  const users = userImport(services)
  const [runUsers, runDepts] = [transfer.createImporter(users), transfer.createImporter(deptImport)]
  return [
    handle(userTemplate, ({ ctx }) => templateAnswer(ctx, users)),
    handle(importUsers, async ({ ctx, input }) =>
      mayImportUsers(ctx) ? runUsers(ctx, importUsers.path, input) : refuse('kernel/whole-needed', {}),
    ),
    handle(deptTemplate, ({ ctx }) => templateAnswer(ctx, deptImport)),
    handle(importDepts, async ({ ctx, input }) =>
      isNarrowed(ctx.session, 'dept') ? refuse('kernel/whole-needed', {}) : runDepts(ctx, importDepts.path, input),
    ),
  ]
}

let common: ReadonlySet<string> | undefined
/** The list is read when the first password is chosen: a start need not wait for it. */
const isCommonPassword = (password: string): boolean => {
  common ??= new Set(readFileSync(fileURLToPath(new URL('../../../seed/data/common-passwords.txt', import.meta.url)), 'utf8').split('\n'))
  return common.has(password)
}

export const createOrganisationModule = (
  given: Omit<OrganisationDeps, 'isCommonPassword' | 'wordsOf' | 'holdings'>,
): OrganisationModule => {
  let holdings: readonly Holding[] = organisationHoldings
  const deps: OrganisationDeps = {
    ...given,
    isCommonPassword,
    holdings: () => holdings,
    wordsOf: (db, userId) => readWords(given.services, db, userId),
  }
  const nodes = createDeptNodes()
  return {
    invariants: [...organisationInvariants, workOfOthers(deps.holdings)],
    holdings: organisationHoldings,
    allHoldings: () => holdings,
    bind: all => {
      holdings = all
    },
    handlers: [
      ...forgetAfterWrites([...deptHandlers(given.services.kept, nodes), ...importHandlers(deps)], given.services.kept),
      ...userHandlers(deps),
      ...accountHandlers(deps),
    ],
    tasks: [...lockTasks(deps), applyOpeningTask(deps)],
    registerStaff: (ctx, applicant) => registerStaff(deps, ctx, applicant),
    lock: (ctx, db, input) => lockUsers(deps, ctx, db, input),
    unlock: unlockUsers,
    deptChanged: (tenantId, id) => nodes.touched(tenantId, [id]),
    forget: nodes.forget,
    tellOperators: async (db, notice) => {
      for (const userId of await holdersOfRoles(db, ['administrator', 'admin', 'secadmin', 'auditor']))
        await given.message.notify(db, { ...notice, userId })
    },
  }
}
