import { Type } from 'typebox'
import { keywordOf, markOf, shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, int, named, nullable, optional, strict, time } from '../kernel/schema.ts'
import { resultNoun } from './result.noun.ts'

/** Long enough to say something, and no longer than somebody reads. */
const reason = () => named({ zh: '复查理由', en: 'Reason' }, Type.String({ minLength: 5, maxLength: 300 }))
const answer = () => named({ zh: '答复', en: 'Answer' }, Type.String({ minLength: 2, maxLength: 500 }))

const window = {
  begin: nullable(Type.String()),
  end: nullable(Type.String()),
}

/** The candidate's papers with a released score, and what may still be asked about each. */
export const myRechecks = defineRoute({
  method: 'GET',
  path: '/blade-signup/score/getRechecks',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({
    ...window,
    /** Whether the window is open now. */
    isOpen: Type.Boolean(),
    papers: Type.Array(
      Type.Object({
        itemId: Type.String(),
        itemName: Type.String(),
        canAsk: Type.Boolean(),
        asked: nullable(
          Type.Object({
            /** 0 waiting, 1 the score stands, 2 corrected. */
            state: Type.Integer(),
            reason: Type.String(),
            askedTime: Type.String(),
            answer: nullable(Type.String()),
            answerTime: nullable(Type.String()),
          }),
        ),
      }),
    ),
  }),
  tx: 'read',
})

export const askRecheck = defineRoute({
  method: 'POST',
  path: '/blade-signup/score/askRecheck',
  access: { candidate: 'own' },
  input: strict({ examId: id(), itemId: id(), reason: reason() }),
  output: Type.Object({ id: Type.String() }),
  means: 'asks to have a released score looked at again',
})

export const recheckWindow = defineRoute({
  method: 'GET',
  path: '/blade-result/recheck/window',
  access: { staff: 'scorerecheck_view' },
  input: strict({ examId: id() }),
  output: Type.Object({ ...window, version: Type.Integer(), waiting: Type.Integer() }),
  tx: 'read',
})

export const saveRecheckWindow = defineRoute({
  method: 'POST',
  path: '/blade-result/recheck/saveWindow',
  access: { staff: 'scorerecheck_edit' },
  input: strict({ examId: id(), begin: time(), end: time(), version: optional(int(0, 2_147_483_647)) }),
  output: Type.Object({ begin: Type.String(), end: Type.String(), version: Type.Integer() }),
  means: 'sets when candidates may ask to have a score looked at again',
})

export const recheckList = defineRoute({
  method: 'GET',
  path: '/blade-result/recheck/list',
  access: { staff: 'scorerecheck_view' },
  input: strict({
    ...pageInput,
    examId: id(),
    itemId: optional(id()),
    state: optional(named({ zh: '状态', en: 'State' }, int(0, 2))),
    keyword: optional(keywordOf([markOf(resultNoun, 'name'), markOf(resultNoun, 'ticketNo')], Type.String({ maxLength: 50 }))),
  }),
  output: pageOf(
    Type.Object({
      id: Type.String(),
      itemName: Type.String(),
      resultId: Type.String(),
      ticketNo: shows(resultNoun, 'ticketNo', Type.String()),
      name: shows(resultNoun, 'name', Type.String()),
      reason: Type.String(),
      /** The score when it was asked about, and now. */
      askedScore: shows(resultNoun, 'score', nullable(Type.String())),
      score: shows(resultNoun, 'score', nullable(Type.String())),
      state: Type.Integer(),
      askedTime: Type.String(),
      answer: nullable(Type.String()),
      answeredBy: nullable(Type.String()),
      answerTime: nullable(Type.String()),
      version: Type.Integer(),
    }),
  ),
  tx: 'read',
})

/** `outcome` 1: the score stands; 2: it was corrected, which needs a correction that counts. */
export const answerRecheck = defineRoute({
  method: 'POST',
  path: '/blade-result/recheck/answer',
  access: { staff: 'scorerecheck_edit' },
  input: strict({
    id: id(),
    outcome: named({ zh: '复查结果', en: 'Outcome' }, int(1, 2)),
    answer: answer(),
    version: optional(int(0, 2_147_483_647)),
  }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  means: 'answers a request to look at a score again',
})

export const recheckRoutes = [myRechecks, askRecheck, recheckWindow, saveRecheckWindow, recheckList, answerRecheck] as const
