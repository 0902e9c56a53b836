import { type Static, Type } from 'typebox'
import { shows } from '../kernel/field-rule.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, strict } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'

/** What happens to a sign-up, from its first version to its results. */
export const courseKinds = [
  'submitted',
  'passed',
  'returned',
  'refused',
  'undone',
  'due',
  'paid',
  'refundAsked',
  'refunded',
  'seated',
  'ticketOut',
  'ticketTaken',
  'resultOut',
  'message',
  'messageRead',
  'seen',
  'revealed',
] as const

const event = Type.Object({
  id: Type.String(),
  kind: Type.Enum(courseKinds),
  time: Type.String(),
  /** Of the member of staff who did it; empty where the candidate or the program did. */
  who: shows(userNoun, 'realName', Type.String()),
  /** A reason, the name of a fee, a room and seat, the title of a message. */
  detail: Type.String(),
  /** Fen of money, the version of what was submitted, the level of a review; null otherwise. */
  number: Type.Union([Type.Integer(), Type.Null()]),
})

/** Everything that happened to one sign-up, the newest first. What other rights are needed for is left out without them. */
export const signupCourse = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/course',
  access: { staff: ['signup_view', 'examine_view'] },
  input: strict({ id: id() }),
  output: Type.Object({ examId: Type.String(), examName: Type.String(), reductionState: Type.Integer(), events: Type.Array(event) }),
  tx: 'read',
})
export type SignupCourse = Static<(typeof signupCourse)['output']>
export const courseRoutes = [signupCourse] as const
