import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { cannedAdvice } from '#contract/signup/canned-advice.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSession } from '#web/kernel/session.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { queueKey } from '../queue.ts'
import type { ExamineInfo } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { type Advices, partsOf, toFirstReviewer, unmarked, withPhotoJudged } from './advices.ts'
import { doubtsAbout } from './doubts.ts'
import type { Review } from './use-review.ts'

/** Numbers of domain 13.2. */
const noLock = 2202
const stale = 2203
const tooLate = 2206
/** A personal extension of the time for corrections (domain 4.2). */
const extensionHours = 24

export type Result = 1 | 2 | 3
/** Returning or refusing is asked for once more, with what the candidate will read. */
export type Armed = 2 | 3 | null

interface Of {
  readonly review: Review
  readonly remarkRef: RefObject<HTMLTextAreaElement | null>
  /** Opens the sign-up that comes next, or what is to be seen when none is left. */
  readonly onDone: (nextId: string | null) => void
}

/** What the reviewer has written about one sign-up, and how it is sent. Nothing of it is lost when the sign-up is loaded anew. */
export const useDecision = ({ review, remarkRef, onDone }: Of) => {
  const t = useT(reviewTexts)
  const label = useLabel()
  const client = useQueryClient()
  const isOffice = useSession(session => session.user?.roles.includes('exam_admin')) ?? false
  const [advices, setAdvices] = useState<Advices>({})
  const [remark, setRemark] = useState('')
  const [photoState, setPhotoState] = useState<0 | 1 | 2 | null>(null)
  const [armed, setArmed] = useState<Armed>(null)
  const [busy, setBusy] = useState(false)
  const [toFirst, setToFirst] = useState(false)
  const [isLate, setLate] = useState(false)
  const [extend, setExtend] = useState(false)
  const info = review.shown
  const enabled = review.mayDecide && !review.isOld

  const arm = (next: Armed) => {
    if (!enabled) return
    setArmed(next)
    if (next === null) return
    if (next === 2 && remark.trim() === '' && Object.keys(advices).length > 0) setRemark(label(cannedAdvice.returned[0]))
    queueMicrotask(() => remarkRef.current?.focus())
  }

  /** What is written while a return is being confirmed is followed by its usual remark, from where it can be sent. */
  const advise = (next: Advices) => {
    setAdvices(next)
    if (armed !== 2 || Object.keys(next).length === 0) return
    if (remark.trim() === '') setRemark(label(cannedAdvice.returned[0]))
    queueMicrotask(() => remarkRef.current?.focus())
  }

  const isSure = async (of: ExamineInfo): Promise<boolean> => {
    const doubts = doubtsAbout(of.signup, advices, photoState, of.late)
    if (doubts === undefined) return true
    const { askSure } = await import('./ask-sure.ts')
    return askSure(doubts)
  }

  const send = async (of: ExamineInfo, result: Result) => {
    const toReviewer = result === 2 && of.level === 2 && toFirst
    const list = result === 2 ? [...Object.values(advices), ...(toReviewer ? [toFirstReviewer(remark.trim())] : [])] : []
    return api.call(
      'POST /blade-signup/examine/examine',
      {
        signUpId: of.signup.id,
        examineResult: result,
        signVersion: of.signup.signVersion,
        ...(of.level === 1 || of.level === 2 ? { level: of.level } : {}),
        ...(remark.trim() === '' ? {} : { examineResultRemark: remark.trim() }),
        ...(list.length === 0 ? {} : { advisementList: list }),
        ...(photoState === null ? {} : { photoState }),
        ...(result === 2 && extend ? { extendHours: extensionHours } : {}),
      },
      { quiet: true },
    )
  }

  const fail = (error: unknown) => {
    if (!isApiError(error)) return notify('error', String(error))
    if (error.code === stale || error.code === noLock) void review.renew()
    if (error.code === tooLate && isOffice) setLate(true)
    notify('error', error.code === tooLate && !isOffice ? t('decide.tooLate') : error.message)
  }

  const decide = async (result: Result) => {
    if (info === null || !enabled || busy) return
    if (result === 2 && Object.keys(advices).length === 0 && !(info.level === 2 && toFirst)) {
      setArmed(2)
      return notify('warning', t('decide.noAdvice'))
    }
    if (result !== 1 && remark.trim() === '') {
      remarkRef.current?.focus()
      return notify('warning', t('decide.noRemark'))
    }
    setBusy(true)
    try {
      if (result === 1 && !(await isSure(info))) return
      const { nextId, examine } = await send(info, result)
      review.finished()
      setAdvices({})
      setRemark('')
      setArmed(null)
      const name = info.signup.name ?? info.signup.signNo ?? ''
      notify(
        'success',
        result === 1
          ? t(examine === signupMachine.wire.second ? 'decide.done.first' : 'decide.done.1', { name })
          : result === 2
            ? t('decide.done.2', { name })
            : t('decide.done.3', { name }),
      )
      for (const queryKey of [listKey('examine'), queueKey, ['GET /blade-signup/examine/getExamUnits']])
        void client.invalidateQueries({ queryKey })
      onDone(nextId)
    } catch (error) {
      fail(error)
    } finally {
      setBusy(false)
    }
  }

  return {
    advices,
    setAdvices,
    advise,
    remark,
    setRemark,
    photoState: photoState ?? info?.signup.photoState ?? 0,
    judgePhoto: (state: 0 | 1 | 2) => {
      setPhotoState(state)
      const name = info?.fileLabels['photo']
      const photo = { ...(name === undefined ? {} : { label: name }), advice: label(cannedAdvice.photo[2]) }
      setAdvices(before => withPhotoJudged(before, state === 2, photo))
    },
    armed,
    arm,
    busy,
    enabled,
    toFirst,
    setToFirst,
    /** Null unless the time for corrections is over and this person may extend it. */
    extendHours: isLate ? extensionHours : null,
    extend,
    setExtend,
    decide,
    /** What the remark asks for beside what the candidate may change. */
    beside: unmarked(remark, partsOf(info), advices),
    hasChanges: Object.keys(advices).length > 0 || remark.trim() !== '',
  }
}

export type Decision = ReturnType<typeof useDecision>
