import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { maskEmail, maskPhone } from '#contract/kernel/mask.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import type { updateInfo } from '#contract/organisation/account.routes.ts'
import { isEmail } from '#contract/person/email.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { checkName, nameMessages } from '#contract/person/person-name.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { type Ctx, Refused, type Session } from '#kernel/http/context.ts'
import {
  changeProfile,
  isNameOfColleague,
  isPhoneProvenByOther,
  lockProfile,
  type OwnPhone,
  type ProfileChange,
} from '../data/profile.repo.ts'
import type { OrganisationDeps } from '../deps.ts'
import { isMasked } from './open-typed.ts'

type Input = InputOf<typeof updateInfo>

const messages = {
  name: { zh: '请输入昵称', en: 'Please enter the nick name' },
  email: { zh: '邮箱格式不正确', en: 'The e-mail address has the wrong format' },
  colleague: {
    zh: '已有同事用这个姓名。经办、审批记录按姓名显示，同名请联系管理员修改',
    en: 'A colleague has this name. Records show who acted by name: ask an administrator if it really is yours too',
  },
  avatar: { zh: '头像不存在，请重新上传', en: 'There is no such picture; upload it again' },
} satisfies Readonly<Record<string, Label>>

/** What put-file answered: the id, or the link that a form component keeps. */
const fileIdOf = (avatar: string): string | undefined => /^(?:\/api\/file\/)?([0-9]{1,19})(?:\?.*)?$/.exec(avatar)?.[1]

/** A phone that was sent; undefined without one. The proof is used up even when the rest is refused. */
const readPhone = async (deps: OrganisationDeps, ctx: Ctx, session: Session, input: Input): Promise<OwnPhone | undefined> => {
  const { phone: sealed, smsId, smsCode } = input
  // As it is shown, it stays.
  if (sealed === undefined || sealed === '' || isMasked(sealed)) return undefined
  const because = 'the caller’s own phone'
  const phone = checkMobile(await ctx.asSystem(because, db => deps.auth.openText(db, sealed)))
  if (!phone.ok) throw new Refused(refuseField('phone', mobileMessages[phone.problem]))
  const { cipher } = deps.services
  const index = cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile)
  const isProven = smsCode !== undefined
  const phoneMask = maskPhone(phone.mobile)
  if (isProven)
    await deps.auth.insistOnSmsCode(ctx, { key: smsId ?? '', answer: smsCode, phoneIndex: index, phoneMask, userId: session.userId })
  const place = { table: 'account', column: 'phone_sealed', rowId: session.userId }
  return { sealed: cipher.seal(ctx.tenantId, place, phone.mobile), index, mask: phoneMask, isProven }
}

/**
 * Changes the caller's own profile (S3.08). Only what is sent changes; for a candidate the verified name and phone may be sent, but not changed.
 *
 * Refusals: auth/bad-cipher, auth/invalid-sms-code, auth/verified-field, auth/phone-taken, kernel/invalid-input with fields.
 */
export const updateOwnInfo = async (deps: OrganisationDeps, ctx: Ctx, input: Input): Promise<void> => {
  const { session } = ctx
  if (!session) throw new Refused(refuse('kernel/no-token', {}))
  const name = input.realName === undefined ? undefined : checkName(input.realName)
  if (name && !name.ok) throw new Refused(refuseField('realName', nameMessages[name.problem]))
  if (input.name === '') throw new Refused(refuseField('name', messages.name))
  if (input.email && !isEmail(input.email)) throw new Refused(refuseField('email', messages.email))
  const avatarId = input.avatar === undefined || input.avatar === '' ? null : fileIdOf(input.avatar)
  if (avatarId === undefined) throw new Refused(refuseField('avatar', messages.avatar))
  const phone = await readPhone(deps, ctx, session, input)

  await ctx.asSystem('the caller’s own profile', async db => {
    await lock(db, `profile|${session.userId}`)
    const before = await lockProfile(db, session.userId)
    const isPhoneNew = phone !== undefined && phone.index !== before.phoneIndex
    const realName = name?.ok && name.name !== before.realName ? name.name : undefined
    if (session.userType === 2 && (realName !== undefined || isPhoneNew)) throw new Refused(refuseAuth('auth/verified-field', {}))
    // Decisions and refunds show who made them by name: nobody takes that of a colleague by themselves.
    if (realName !== undefined && (await isNameOfColleague(db, realName, session.userId)))
      throw new Refused(refuseField('realName', messages.colleague))
    // A proven phone is one person's, or a code sent to it would log in somebody else.
    if (phone?.isProven && session.userType === 1 && (await isPhoneProvenByOther(db, phone.index, session.userId)))
      throw new Refused(refuseAuth('auth/phone-taken', {}))
    const isAvatarSent = input.avatar !== undefined && avatarId !== before.avatarFileId
    if (isAvatarSent && !(await deps.files.keepAvatar(db, session.userId, avatarId)))
      throw new Refused(refuseField('avatar', messages.avatar))
    const change: ProfileChange = {
      ...(realName === undefined ? {} : { realName }),
      ...(input.name === undefined ? {} : { nickName: input.name }),
      ...(input.email === undefined ? {} : { email: input.email === '' ? null : input.email }),
      ...(isAvatarSent ? { avatarFileId: avatarId } : {}),
      ...(phone && session.userType === 1 ? { phone } : {}),
    }
    if (Object.keys(change).length === 0) return
    await changeProfile(db, session.userId, change)
    await audit(db, ctx, {
      action: 'account.profile-changed',
      entity: 'account',
      entityId: session.userId,
      after: {
        ...(realName === undefined ? {} : { realName }),
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.email ? { email: maskEmail(input.email) } : {}),
        ...(isPhoneNew ? { phone: phone.mask } : {}),
        ...(isAvatarSent ? { avatar: avatarId } : {}),
      },
    })
  })
  deps.auth.cache.drop(session.id)
}
