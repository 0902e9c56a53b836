import { toWireTime } from '#contract/kernel/when.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { findExam } from '#modules/exam/index.ts'
import { listSubscribers } from '../data/subscription.repo.ts'
import type { PersonDeps } from '../deps.ts'

const batch = 500

/** Part of a release: whoever asked for it hears of the examination, after the commit. */
export const orderReminders = (db: TenantDb, examId: string): Promise<void> => enqueue(db, 'person.exam-released', { examId, after: '0' })

/** Five hundred people at a time; the notice of an examination is written once for each, however often the task runs. */
export const remindersTask = (deps: PersonDeps): Task =>
  ({
    name: 'person.exam-released',
    run: async (payload: { tenantId: string; examId?: string; after?: string }) => {
      const { scopes, clock } = deps.services
      await scopes.tx(systemOf(payload.tenantId), clock.now(), async db => {
        const exam = payload.examId === undefined ? undefined : await findExam(db, payload.examId)
        if (exam?.state !== 'released') return
        const people = await listSubscribers(db, payload.after ?? '0', batch)
        const begin = exam.signBegin && toWireTime(exam.signBegin)
        for (const { userId } of people)
          await deps.message.notify(db, {
            userId,
            examId: exam.id,
            kind: 7,
            title: { zh: `新考试开放：${exam.examName}`, en: `New examination: ${exam.examName}` },
            content: {
              zh: begin ? `报名开始时间 ${begin}。` : '请查看考试公告。',
              en: begin ? `Sign-up begins at ${begin}.` : 'See the announcement.',
            },
            link: `/signup/examList?examId=${exam.id}`,
            eventKey: `exam-released-${exam.id}`,
          })
        const last = people.length === batch ? people.at(-1) : undefined
        if (last) await enqueue(db, 'person.exam-released', { examId: exam.id, after: last.userId })
      })
    },
  }) satisfies Task<{ examId?: string; after?: string }> as Task
