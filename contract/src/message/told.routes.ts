import { Type } from 'typebox'
import { shows } from '../kernel/field-rule.ts'
import { proposalKinds } from '../kernel/proposals.ts'
import { defineRoute, type PermissionCode } from '../kernel/route.ts'
import { named, nullable, strict, text } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'

/** What became of the text message: `none` where the account has no mobile number. */
export const toldSms = ['none', 'waiting', 'accepted', 'delivered', 'failed'] as const
export type ToldSms = (typeof toldSms)[number]

const of = named({ zh: '提议', en: 'Proposal' }, text(40))
const rights: PermissionCode[] = [...new Set(Object.values(proposalKinds).map(({ right }): PermissionCode => right))]

const told = Type.Object({
  /** Since when the days to answer or to object run; null while the person was not reached by any way that counts. */
  toldTime: nullable(Type.String()),
  /** One for each person who is concerned, by the latest time that they were told. Empty for what was proposed before this was noted. */
  persons: Type.Array(
    Type.Object({
      noticeId: Type.String(),
      sms: Type.Enum(toldSms),
      /** When the provider took it or refused it; null while it waits. */
      sentTime: nullable(Type.String()),
      deliveredTime: nullable(Type.String()),
      /** Why it was refused or not delivered, in the language of the caller. */
      failReason: nullable(Type.String()),
      /** When the message in the account was opened. */
      readTime: nullable(Type.String()),
      calledTime: nullable(Type.String()),
      calledBy: shows(userNoun, 'realName', nullable(Type.String())),
      callNote: nullable(Type.String()),
      /** Neither the phone nor another way that counts has reached the person: a call can be noted. */
      mayCall: Type.Boolean(),
    }),
  ),
})

/** How the person was told of a proposal: what the provider said, and what was done beside it. */
export const toldState = defineRoute({
  method: 'GET',
  path: '/blade-send/told/state',
  access: { staff: rights },
  input: strict({ of }),
  output: told,
  tx: 'read',
  means: 'looks how a person was told of what is proposed against them',
})

/** Notes that the person was told by telephone, where the text message did not arrive. */
export const noteCall = defineRoute({
  method: 'POST',
  path: '/blade-send/told/call',
  access: { staff: rights },
  input: strict({ of, note: named({ zh: '通话情况', en: 'About the call' }, text(200, { minLength: 2 })) }),
  output: told,
  means: 'notes that a person was told of a proposal by telephone, where no text message arrived',
})

export const toldRoutes = [toldState, noteCall] as const
