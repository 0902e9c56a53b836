import { Type } from 'typebox'
import { keywordOf, markOf, shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { id, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { answerFiles, confirmInput, heard, noteInput } from './hearing.ts'
import { signupNoun } from './signup.noun.ts'

const version = () => optional(int(0, 2_147_483_647))

/** What is proposed for the archive of integrity and what became of it, of all examinations; what waits stands first. */
export const integrityList = defineRoute({
  method: 'GET',
  path: '/blade-signup/integrity/list',
  access: { staff: 'integrity_view' },
  input: strict({
    ...pageInput,
    examId: optional(id()),
    state: optional(named({ zh: '状态', en: 'State' }, int(0, 3))),
    keyword: optional(keywordOf([markOf(signupNoun, 'name')], text(50))),
  }),
  output: pageOf(
    Type.Object({
      id: Type.String(),
      examName: Type.String(),
      signNo: Type.String(),
      name: shows(signupNoun, 'name', Type.String()),
      idCardMask: shows(signupNoun, 'idCard', Type.String()),
      /** What happened, as it was found. */
      reason: Type.String(),
      proposedTime: Type.String(),
      /** Until then the person may answer. */
      answerUntil: Type.String(),
      /** Why the reader cannot record it now; null where they can, and of what was decided. */
      bar: nullable(Type.String()),
      /** When the person confirmed to have been told; null while they have not. */
      toldTime: nullable(Type.String()),
      ...heard,
      state: Type.Integer(),
      level: nullable(Type.String()),
      /** A day; null while nothing is recorded, and for good. */
      endDate: nullable(Type.String()),
      decision: nullable(Type.String()),
      decidedBy: nullable(Type.String()),
      decidedTime: nullable(Type.String()),
      version: Type.Integer(),
    }),
  ),
  tx: 'read',
})

/** Recorded (1) for a time or for good, or not (2): with reasons, after the person answered or the days to answer are over. */
export const decideIntegrity = defineRoute({
  method: 'POST',
  path: '/blade-signup/integrity/decide',
  access: { staff: 'integrity_decide' },
  input: strict({
    id: id(),
    outcome: named({ zh: '决定', en: 'Decision' }, Type.Union([Type.Literal(1), Type.Literal(2)])),
    level: optional(named({ zh: '记录期限', en: 'How long it holds' }, Type.String({ pattern: '^(y1|y2|y5|life)$' }))),
    /** What the person said, as staff note it with the decision: it shortens nothing. */
    statement: optional(named({ zh: '本人陈述申辩', en: 'What the person answered' }, text(1_000))),
    decision: named({ zh: '决定理由', en: 'Reasons' }, Type.String({ minLength: 2, maxLength: 500 })),
    version: version(),
  }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  means: 'decides whether a violation is recorded in the archive of integrity',
})

/** Ends a record before its time, from today on. */
export const liftIntegrity = defineRoute({
  method: 'POST',
  path: '/blade-signup/integrity/lift',
  access: { staff: 'integrity_decide' },
  input: strict({
    id: id(),
    reason: named({ zh: '解除理由', en: 'Reasons' }, Type.String({ minLength: 2, maxLength: 500 })),
    version: version(),
  }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  means: 'lifts a record of the archive of integrity',
})

const noted = Type.Object({ id: Type.String(), confirmed: nullable(Type.String()) })

/** What the person said otherwise than in the account, as staff note it; a code that confirms it goes to the person's phone. */
export const noteIntegrity = defineRoute({
  method: 'POST',
  path: '/blade-signup/integrity/noteStatement',
  access: { staff: 'integrity_decide' },
  input: strict(noteInput),
  output: noted,
  means: 'notes what somebody said to a proposal for the archive of integrity',
})

/** The noted statement is the person's: by the code of their phone, or by a signed paper that a second official has seen. */
export const confirmIntegrity = defineRoute({
  method: 'POST',
  path: '/blade-signup/integrity/confirmStatement',
  access: { staff: 'integrity_decide' },
  input: strict(confirmInput),
  output: noted,
  // A wrong code is counted although the call is refused.
  tx: 'own',
  means: 'confirms a noted statement by a code or a signed paper',
})

/** What is proposed for the archive about the caller and what became of it, the newest first. */
export const ownIntegrity = defineRoute({
  method: 'GET',
  path: '/blade-signup/integrity/own',
  access: { candidate: 'own' },
  input: strict({}),
  output: Type.Array(
    Type.Object({
      ...{ id: Type.String(), examId: Type.String(), examName: Type.String(), contactPhone: Type.String() },
      /** 0 waits, 1 recorded, 2 not, 3 lifted. */
      state: Type.Integer(),
      ...{ reason: Type.String(), time: Type.String(), answerUntil: Type.String() },
      ...heard,
      ...{ decision: nullable(Type.String()), decidedTime: nullable(Type.String()), endDate: nullable(Type.String()) },
    }),
  ),
  tx: 'own',
  means: 'proposals for the archive of integrity about oneself',
})

/** The person answers with files, and may answer anew until it is decided. */
export const answerIntegrity = defineRoute({
  method: 'POST',
  path: '/blade-signup/integrity/answer',
  access: { candidate: 'own' },
  input: strict({ id: id(), statement: named({ zh: '陈述申辩', en: 'Your answer' }, text(1_000, { minLength: 2 })) }),
  files: answerFiles,
  output: Type.Object({ id: Type.String(), statedTime: Type.String() }),
  tx: 'own',
  means: 'answers to a proposal for the archive of integrity',
})

export const integrityRoutes = [
  integrityList,
  decideIntegrity,
  liftIntegrity,
  noteIntegrity,
  confirmIntegrity,
  ownIntegrity,
  answerIntegrity,
] as const satisfies readonly Route[]
