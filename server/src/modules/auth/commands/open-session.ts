import { createHmac } from 'node:crypto'
import type { Static } from 'typebox'
import type { tokenAnswer } from '#contract/auth/token-answer.ts'
import { sm3 } from '#kernel/crypto/sm3.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { Client } from '../clients.ts'
import { type AccountRow, type RoleRow, rolesOf } from '../data/account.repo.ts'
import { writeSession } from '../data/session.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { type Choice, type Held, wishOf } from '../domain/choice.ts'
import { absoluteMs, sessionsPerUser } from '../domain/session.ts'

export type TokenAnswer = Static<typeof tokenAnswer>

/** The same client: what must match for the grace of a refresh race. The address may change on a phone, the agent does not. */
export const fingerprintOf = (ctx: Ctx, clientId: string): string => sm3(`${clientId}|${ctx.userAgent}`).toString('hex')

/** Tokens that follow from a used refresh token: a tab that lost the race recomputes the winner's instead of ending the family. */
export const successors = (tokenKey: Uint8Array, sessionId: string, usedRefreshToken: string): { access: string; refresh: string } => {
  const derive = (kind: string): string =>
    createHmac('sha256', tokenKey).update(`${kind}|${sessionId}|${usedRefreshToken}`).digest('base64url')
  return { access: derive('access'), refresh: derive('refresh') }
}

export const avatarOf = (deps: AuthDeps, ctx: Ctx, account: AccountRow): string =>
  account.avatarFileId === null ? '' : deps.avatarLink({ tenantId: ctx.tenantId, userId: account.id }, account.avatarFileId, ctx.arrivedAt)

export const answerOf = (
  account: AccountRow,
  roles: readonly RoleRow[],
  session: {
    deptId: string
    tenantId: string
    clientId: string
    access: string
    expiresInSeconds: number
    avatar: string
    socialId: string | null
  },
): TokenAnswer => ({
  access_token: session.access,
  token_type: 'bearer',
  refresh_token: '',
  expires_in: session.expiresInSeconds,
  scope: 'all',
  tenant_id: session.tenantId,
  user_id: account.id,
  account: account.account,
  user_name: account.account,
  real_name: account.realName,
  nick_name: account.nickName,
  role_id: roles.map(role => role.id).join(','),
  role_name: roles.map(role => role.roleAlias).join(','),
  dept_id: session.deptId,
  post_id: account.postId ?? '',
  oauth_id: session.socialId ?? '',
  client_id: session.clientId,
  avatar: session.avatar,
  license: 'Kaopu',
  userType: account.userType,
  password_due: account.passwordDue,
  detail: { type: 'web', userType: account.userType, userCode: account.userCode },
})

/**
 * Roles of somebody whose sessions nobody else opens until this transaction ends: logins that arrive together count each other, so that no
 * more than the allowed sessions stay.
 */
export const holdSessions = async (db: TenantDb, userId: string): Promise<readonly RoleRow[]> =>
  (await Promise.all([lock(db, `sessions|${userId}`), rolesOf(db, userId)]))[1]

/** The roles and departments that are asked for by headers or parameters (S6.07): wishes, never facts. */
export const wishFrom = (ctx: Ctx, input: { readonly roleId?: string; readonly deptId?: string }): Held => ({
  roleIds: wishOf(ctx.header('role-id') || input.roleId),
  deptIds: wishOf(ctx.header('dept-id') || input.deptId),
})

/**
 * Opens a session for an account that has proven itself.
 *
 * @param all - the roles of `holdSessions`
 * @returns the answer and the refresh token for the cookie
 */
export const openSession = async (
  deps: AuthDeps,
  db: TenantDb,
  ctx: Ctx,
  account: AccountRow,
  client: Client,
  now: Date,
  {
    all,
    choice,
    socialId,
    grant,
    closing,
  }: {
    readonly all: readonly RoleRow[]
    readonly choice: Choice
    readonly socialId: string | null
    readonly grant: string
    readonly closing?: (() => Promise<void>) | undefined
  },
): Promise<{ answer: TokenAnswer; refresh: string; sessionId: string }> => {
  const roles = all.filter(role => choice.roleIds.includes(role.id))
  const access = newToken()
  const refresh = newToken()
  const opened = {
    userId: account.id,
    userType: account.userType,
    clientId: client.id,
    accessHash: hashToken(access),
    accessUntil: new Date(now.getTime() + client.accessMs),
    refreshHash: hashToken(refresh),
    refreshUntil: new Date(now.getTime() + Math.min(client.refreshMs, absoluteMs(account.userType))),
    fingerprint: fingerprintOf(ctx, client.id),
    roleIds: choice.roleIds,
    deptId: choice.deptIds.join(',') || null,
    isNarrowed: choice.isNarrowed,
    socialId,
    openedBy: grant,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
  }
  const sessionId = await writeSession(db, opened, sessionsPerUser, now, closing)
  return {
    answer: answerOf(account, roles, {
      deptId: choice.deptIds.join(','),
      tenantId: db.actor.tenantId,
      clientId: client.id,
      access,
      expiresInSeconds: client.accessMs / 1000,
      avatar: avatarOf(deps, ctx, account),
      socialId,
    }),
    refresh,
    sessionId,
  }
}
