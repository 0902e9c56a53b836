import { toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import type { SceneKey } from '#contract/message/scenes.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import { findExam } from '#modules/exam/index.ts'
import { orderRelease, type RenderOrder, releaseReadyTask, type TicketEventName, ticketEvents } from '../commands/orders.ts'
import { releaseReady, tellNotReleased } from '../commands/release.ts'
import { renderPeople } from '../commands/render.ts'
import { holdersOf } from '../data/eligible.repo.ts'
import { countRender, isRenderRunning, unrendered } from '../data/release.repo.ts'
import type { TicketContext } from '../deps.ts'

interface NoticeOrder {
  readonly examId: string
  readonly type: 1 | 2
  readonly signupIds: readonly string[]
  readonly eventKey: string
  readonly sms: boolean
  readonly event: TicketEventName
}

/** Renders those of an order that still have no file; a cancelled run is skipped. Running it twice renders nothing twice. */
const renderTask = (context: TicketContext): Task<RenderOrder> => ({
  name: 'ticket.render',
  maxAttempts: 5,
  run: async order => {
    const { scopes, clock } = context.services
    const waiting = await scopes.tx(systemOf(order.tenantId), clock.now(), async db => {
      if (order.renderId !== null && !(await isRenderRunning(db, order.renderId))) return []
      return unrendered(db, order.signupIds, order.type, order.itemIds)
    })
    if (waiting.length === 0) return
    await renderPeople(context, order.tenantId, { ...order, signupIds: waiting }, async (db, { done, problems }) => {
      if (order.renderId === null) return
      const render = await countRender(db, order.renderId, done.length, problems)
      if (render?.state === 1 && render.releaseSms !== null) await orderRelease(db, order.renderId)
    })
  },
})

/** Tells the holders; a second run writes no second notice (event key) and therefore sends no second text message. */
const notifyTask = (context: TicketContext): Task<NoticeOrder> => ({
  name: 'ticket.notify',
  run: async order => {
    const { services, message } = context
    await services.scopes.tx(systemOf(order.tenantId), services.clock.now(), async db => {
      const exam = await findExam(db, order.examId)
      if (!exam) return
      const event = ticketEvents[order.event]
      const people = await holdersOf(db, order.signupIds, event.isInvitation ? 'entitled' : 'all')
      const begin = order.type === 1 ? exam.ticketBegin : exam.msTicketBegin
      const end = order.type === 1 ? exam.ticketEnd : exam.msTicketEnd
      const scene: SceneKey | undefined = 'scene' in event ? event.scene : undefined
      const params = {
        exam: exam.examName,
        begin: begin ? toWireTime(begin).slice(0, 16) : '即日',
        end: end ? toEndMinute(end) : '考试开始',
      }
      for (const { userId } of people) {
        const isNew = await message.notify(db, {
          userId,
          examId: order.examId,
          kind: 3,
          title: event.title,
          content: event.content({
            exam: exam.examName,
            begin: begin ? toWireTime(begin).slice(0, 16) : null,
            end: end ? toEndMinute(end) : null,
          }),
          link: '/signup/ticket',
          ...(scene && { words: { scene, params } }),
          needSure: event.needSure,
          eventKey: order.eventKey,
        })
        if (isNew && order.sms && order.event === 'released')
          await message.sendSmsTo(db, { userId, examId: order.examId }, 'ticket-released', params)
        // A changed ticket is told by text message always: whoever prints once does not look again (domain 13.5).
        if (isNew && order.event === 'changed') await message.sendSmsTo(db, { userId, examId: order.examId }, 'ticket-changed', params)
      }
    })
  },
})

const releaseTask = (context: TicketContext): Task<{ readonly renderId: string }> => ({
  name: releaseReadyTask,
  run: async ({ tenantId, renderId }) => {
    const { scopes, clock } = context.services
    try {
      await scopes.tx(systemOf(tenantId), clock.now(), db => releaseReady(context, db, renderId))
    } catch (error) {
      // What cannot be released now (an examination that was closed, a paper that was cleared) waits for whoever ordered it.
      if (!(error instanceof Refused)) throw error
      const { refusal } = error
      await scopes.tx(systemOf(tenantId), clock.now(), db => tellNotReleased(context, db, renderId, refusal))
    }
  },
})

export const ticketTasks = (context: TicketContext): readonly Task[] => [
  renderTask(context) as Task,
  notifyTask(context) as Task,
  releaseTask(context) as Task,
]
