import { audit } from '#kernel/audit.ts'
import type { FieldPlace } from '#kernel/crypto/field.ts'
import { fromBase32, matchingStep, otpauthUri, toBase32 } from '#kernel/crypto/totp.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { qrSvg } from '#kernel/qr.ts'
import { randomBytes, randomText } from '#kernel/random.ts'
import { type AccountRow, findAccountById, type RoleRow, rolesOf } from '../data/account.repo.ts'
import {
  confirmPending,
  type FactorRow,
  findFactor,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendStep,
  storePending,
} from '../data/second-factor.repo.ts'
import { findOwnTenant } from '../data/tenant.repo.ts'
import type { AuthDeps } from '../deps.ts'
import {
  type FactorRule,
  isFactorDue,
  pendingMs,
  recoveryAlphabet,
  recoveryCodeCount,
  recoveryCodeLength,
  recoveryKey,
  recoveryText,
} from '../domain/second-factor.ts'
import { prove } from './prove.ts'

/** 160 bits, the length of the hash (RFC 4226 4, R6). */
const secretBytes = 20

const fieldOf = (userId: string, column: 'secret_sealed' | 'pending_sealed'): FieldPlace => ({
  table: 'second_factor',
  column,
  rowId: userId,
})

export interface Enrolment {
  readonly secret: string
  readonly uri: string
  readonly qr: string
}

/** A new secret for an account. It opens nothing before its first code, and one that is on stays on until then. */
export const beginEnrolment = async (
  deps: AuthDeps,
  ctx: Ctx,
  account: Pick<AccountRow, 'id' | 'account'>,
  now: Date,
): Promise<Enrolment> => {
  const secret = toBase32(randomBytes(secretBytes))
  const title = await ctx.asSystem('the caller’s own second factor', async db => {
    const sealed = deps.services.cipher.seal(ctx.tenantId, fieldOf(account.id, 'pending_sealed'), secret)
    await storePending(db, account.id, sealed, new Date(now.getTime() + pendingMs))
    return findOwnTenant(db)
  })
  // The colon parts issuer and account in the address, so neither may hold one.
  const issuer = (title?.name || 'Kaopu').replaceAll(':', ' ')
  const uri = otpauthUri({ issuer, account: account.account.replaceAll(':', ' '), secret })
  return { secret, uri, qr: `data:image/svg+xml;base64,${Buffer.from(qrSvg(uri)).toString('base64')}` }
}

/** The first is to be stored; codes that were made under a former key are looked for too, because they are kept nowhere else. */
const recoveryHashes = (deps: AuthDeps, tenantId: string, userId: string, code: string): readonly string[] =>
  deps.services.cipher.blindIndexes(tenantId, 'recovery-code', `${userId}:${recoveryKey(code)}`)

/** Makes new recovery codes; the earlier ones are gone. Answered once, in letters. */
export const makeRecoveryCodes = async (deps: AuthDeps, db: TenantDb, userId: string): Promise<readonly string[]> => {
  const codes = Array.from({ length: recoveryCodeCount }, () => randomText(recoveryCodeLength, recoveryAlphabet))
  await replaceRecoveryCodes(
    db,
    userId,
    codes.flatMap(code => recoveryHashes(deps, db.actor.tenantId, userId, code).slice(0, 1)),
  )
  return codes.map(recoveryText)
}

export type CodeVerdict =
  | { readonly verdict: 'right' }
  | { readonly verdict: 'wrong' }
  /** There is nothing a code could be compared with. */
  | { readonly verdict: 'none' }
  | { readonly verdict: 'locked'; readonly minutes: number }

/** Looks at a code, and uses it up when it is right. */
type Look = (db: TenantDb, factor: FactorRow) => Promise<boolean>

/** Checks a code under the one counter of the account. The right one ends the count: it follows a password that was right. */
const counted = async (deps: AuthDeps, ctx: Ctx, account: AccountRow, grant: string, now: Date, look: Look): Promise<CodeVerdict> => {
  let isThere = false
  const checked = await prove(
    deps,
    ctx,
    {
      door: 'second_factor',
      grant,
      who: { key: account.id, find: db => findAccountById(db, account.id) },
      look: () =>
        ctx.asSystem('the second factor of an account that has proven the first', async db => {
          const factor = await findFactor(db, account.id)
          isThere = factor !== undefined
          return factor !== undefined && look(db, factor)
        }),
      endsCount: () => true,
    },
    now,
  )
  return checked.verdict === 'wrong' && !isThere ? { verdict: 'none' } : checked
}

const openSecret = (deps: AuthDeps, tenantId: string, userId: string, column: 'secret_sealed' | 'pending_sealed', sealed: Buffer): Buffer =>
  fromBase32(deps.services.cipher.open(tenantId, fieldOf(userId, column), sealed))

/** What the login log calls a code inside of a session; one that ends a login goes by the grant of its first step. */
const factorGrant = 'second_factor'

/** A code of the app, or a recovery code; each is good once. */
export const checkSecondFactor = (
  deps: AuthDeps,
  ctx: Ctx,
  account: AccountRow,
  code: string,
  now: Date,
  grant = factorGrant,
): Promise<CodeVerdict> =>
  counted(deps, ctx, account, grant, now, async (db, factor) => {
    if (factor.secretSealed === null) return false
    const digits = code.replace(/\s/g, '')
    const secret = openSecret(deps, ctx.tenantId, account.id, 'secret_sealed', factor.secretSealed)
    const step = matchingStep(secret, digits, now, Number(factor.lastStep))
    if (step !== undefined) return spendStep(db, account.id, step)
    if (recoveryKey(code).length !== recoveryCodeLength) return false
    if (!(await spendRecoveryCode(db, account.id, recoveryHashes(deps, ctx.tenantId, account.id, code), now))) return false
    await audit(db, ctx, {
      action: 'account.recovery-code-used',
      entity: 'account',
      entityId: account.id,
      after: { account: account.account, left: factor.recoveryLeft - 1 },
    })
    return true
  })

/** The first code of a secret that waits turns it on; the code is used up by it. Answers the recovery codes. */
export const confirmEnrolment = async (
  deps: AuthDeps,
  ctx: Ctx,
  account: AccountRow,
  code: string,
  now: Date,
  grant = factorGrant,
): Promise<CodeVerdict & { readonly recoveryCodes?: readonly string[] }> => {
  let codes: readonly string[] | undefined
  let waits = false
  const checked = await counted(deps, ctx, account, grant, now, async (db, factor) => {
    const { pendingSealed, pendingUntil } = factor
    waits = pendingSealed !== null && pendingUntil !== null && pendingUntil > now
    if (!waits || pendingSealed === null) return false
    const secret = openSecret(deps, ctx.tenantId, account.id, 'pending_sealed', pendingSealed)
    const step = matchingStep(secret, code.replace(/\s/g, ''), now, -1)
    if (step === undefined) return false
    const sealed = deps.services.cipher.seal(ctx.tenantId, fieldOf(account.id, 'secret_sealed'), toBase32(secret))
    if (!(await confirmPending(db, account.id, { pending: pendingSealed, secret: sealed, step, now }))) return false
    codes = await makeRecoveryCodes(deps, db, account.id)
    await audit(db, ctx, {
      action: factor.confirmedAt === null ? 'account.second-factor-on' : 'account.second-factor-changed',
      entity: 'account',
      entityId: account.id,
      after: { account: account.account },
    })
    return true
  })
  if (checked.verdict === 'wrong' && !waits) return { verdict: 'none' }
  return codes === undefined ? checked : { ...checked, recoveryCodes: codes }
}

/** Whether the tenant demands a second factor of this account, by all the roles it holds. */
export const isFactorRequired = async (
  deps: AuthDeps,
  db: TenantDb,
  account: Pick<AccountRow, 'id' | 'userType'>,
  /** What was read already in this transaction. */
  known: { readonly rule?: FactorRule | undefined; readonly roles?: readonly RoleRow[] } = {},
): Promise<boolean> => {
  if (account.userType !== 1) return false
  const [rule, roles] = await Promise.all([known.rule ?? deps.settings.secondFactor(db), known.roles ?? rolesOf(db, account.id)])
  return isFactorDue(rule, { userType: account.userType, roleAliases: roles.map(role => role.roleAlias) })
}
