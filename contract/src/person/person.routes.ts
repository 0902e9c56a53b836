import { Type } from 'typebox'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, nullable, optional, strict, text } from '../kernel/schema.ts'

const own = { candidate: 'own' } as const
/** What somebody of the staff did with one's data. */
const accessActions = [
  'read',
  'review',
  'decide',
  'file',
  'profile',
  'export',
  'ticket',
  'roomSheet',
  'room',
  'attendance',
  'idCard',
  'phone',
] as const
export type AccessAction = (typeof accessActions)[number]

/**
 * Who saw my data (domain 6.3, P6): reads and decisions of the staff on one's own sign-ups, files, tickets and account. Role and unit, never a name;
 * what one person did to one thing within an hour is one line. A whole number (`idCard`, `phone`) is shown for a purpose: 1 compares papers, 2 contacts the
 * candidate, 3 handles a complaint, 4 another duty by law.
 */
export const accessLog = defineRoute({
  method: 'GET',
  path: '/me/accessLog',
  access: own,
  input: strict({ ...pageInput }),
  output: pageOf(
    Type.Object({
      time: Type.String(),
      role: Type.String(),
      unit: Type.String(),
      action: Type.Enum(accessActions),
      purpose: nullable(Type.Integer()),
    }),
  ),
  tx: 'own',
})

/**
 * Everything of one's own as a zip of JSON and files (P10). The password is asked again, where the SMS code of the login does not prove the person
 * any more: the whole id number is in it.
 */
export const exportOwnData = defineRoute({
  method: 'POST',
  path: '/me/export',
  access: own,
  input: strict({ password: optional(text(1100)) }),
  output: Type.Unknown(),
  answer: 'file',
  kinds: ['zip'],
  tx: 'own',
})

/** What keeps an account open. */
const obstacleKinds = ['signup', 'order', 'refund'] as const
const closing = Type.Object({
  state: Type.Enum(['none', 'waiting', 'done']),
  requestTime: nullable(Type.String()),
  obstacles: Type.Array(Type.Object({ kind: Type.Enum(obstacleKinds), examName: Type.String() })),
})
export const closingState = defineRoute({
  method: 'GET',
  path: '/me/closing',
  access: own,
  input: strict({}),
  output: closing,
  tx: 'read',
})
/** Closes the account at once, or as soon as nothing of the person is open (domain 4.9). */
export const closeAccount = defineRoute({
  method: 'POST',
  path: '/me/closing/request',
  access: own,
  input: strict({ password: optional(text(1100)) }),
  output: closing,
  tx: 'own',
})
export const cancelClosing = defineRoute({
  method: 'POST',
  path: '/me/closing/cancel',
  access: own,
  input: strict({}),
  output: closing,
})

/** Whether the person hears of examinations that open. */
export const reminders = defineRoute({
  method: 'GET',
  path: '/me/reminders',
  access: own,
  input: strict({}),
  output: Type.Object({ on: Type.Boolean() }),
  tx: 'read',
})
export const setReminders = defineRoute({
  method: 'POST',
  path: '/me/reminders',
  access: own,
  input: strict({ on: flag() }),
  output: Type.Object({ on: Type.Boolean() }),
})

export const personRoutes = [accessLog, exportOwnData, closingState, closeAccount, cancelClosing, reminders, setReminders] as const
