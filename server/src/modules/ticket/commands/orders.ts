import type { Label } from '#contract/kernel/label.ts'
import type { SceneKey } from '#contract/message/scenes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import type { TicketType } from '../data/ticket.repo.ts'

/** People of one rendering order; small, so that several workers share a release and a repeated order costs little. */
const peoplePerOrder = 25
const peoplePerNotice = 100

export interface RenderOrder {
  readonly renderId: string | null
  readonly examId: string
  readonly type: TicketType
  /** Papers about to be released; empty = only what is public. */
  readonly itemIds: readonly string[]
  readonly signupIds: readonly string[]
}

/** Releases what a rendering has made, once all of it is there. */
export const releaseReadyTask = 'ticket.release-ready'
export const orderRelease = (db: TenantDb, renderId: string): Promise<unknown> => enqueue(db, releaseReadyTask, { renderId })

interface EventFacts {
  readonly exam: string
  readonly begin: string | null
  readonly end: string | null
}
interface TicketEvent {
  readonly title: Label
  readonly content: (facts: EventFacts) => Label
  readonly needSure: boolean
  /** Where a tenant may have words of its own. */
  readonly scene?: SceneKey
  /** Says that a ticket can be printed: not told to whoever owes a fee or gets it back. */
  readonly isInvitation: boolean
}
const windowText = ({ begin, end }: EventFacts): Label =>
  begin && end ? { zh: `，打印时间 ${begin} 至 ${end}`, en: `; it can be downloaded from ${begin} to ${end}` } : { zh: '', en: '' }

/** What holders are told (domain 13.5): changes to a public ticket have to be confirmed. */
export const ticketEvents = {
  released: {
    title: { zh: '准考证可以打印了', en: 'Your admission ticket is ready' },
    scene: 'ticket-released',
    content: facts => ({
      zh: `${facts.exam} 准考证已发布${windowText(facts).zh}。`,
      en: `The ticket for ${facts.exam} has been released${windowText(facts).en}.`,
    }),
    needSure: false,
    isInvitation: true,
  },
  changed: {
    title: { zh: '准考证有变更', en: 'Your admission ticket has changed' },
    scene: 'ticket-changed',
    content: ({ exam }) => ({
      zh: `${exam} 准考证信息有变更，请重新下载打印，原准考证作废。`,
      en: `Your ticket for ${exam} has changed. Download and print it again; the former one is no longer valid.`,
    }),
    needSure: true,
    isInvitation: true,
  },
  rules: {
    title: { zh: '考生须知有变更', en: 'The rules for candidates have changed' },
    content: ({ exam }) => ({
      zh: `${exam} 考生须知有变更，请重新阅读并下载打印准考证。座位与考试时间不变。`,
      en: `The rules for ${exam} have changed. Please read them and download your ticket again; seat and times stay the same.`,
    }),
    needSure: true,
    isInvitation: true,
  },
  voided: {
    title: { zh: '准考证已作废', en: 'Your admission ticket is void' },
    content: ({ exam }) => ({
      zh: `${exam} 准考证已作废，如有疑问请联系主办单位。`,
      en: `Your ticket for ${exam} is void. Please contact the organizer if you have questions.`,
    }),
    needSure: true,
    isInvitation: false,
  },
  notEntitled: {
    title: { zh: '准考证已作废', en: 'Your admission ticket is void' },
    content: ({ exam }) => ({
      zh: `您在 ${exam} 的报名不再有效，准考证已作废，座位不再保留。如有疑问请联系主办单位。`,
      en: `Your sign-up for ${exam} does not count any more: your ticket is void and the seat is given up. Please contact the organizer if you have questions.`,
    }),
    needSure: true,
    isInvitation: false,
  },
  /** The same because of a refund. */
  placeLost: {
    title: { zh: '准考证已作废', en: 'Your admission ticket is void' },
    content: ({ exam }) => ({
      zh: `因报名费退费，您不再参加 ${exam}，准考证已作废，座位不再保留。`,
      en: `The fee is refunded, so you do not take ${exam} any more: your ticket is void and the seat is given up.`,
    }),
    needSure: true,
    isInvitation: false,
  },
  withdrawn: {
    title: { zh: '准考证已撤回', en: 'Your admission ticket was withdrawn' },
    content: ({ exam }) => ({
      zh: `${exam} 准考证已撤回，您已下载的准考证作废，请等待重新发布后再下载打印。`,
      en: `The tickets for ${exam} were withdrawn. The one you downloaded is void; please download it again after the next release.`,
    }),
    needSure: true,
    isInvitation: false,
  },
} as const satisfies Record<string, TicketEvent>
export type TicketEventName = keyof typeof ticketEvents

const slices = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))

/** Orders the pages of these people from the queue, in portions of `peoplePerOrder`. */
export const orderRendering = async (db: TenantDb, order: RenderOrder): Promise<void> => {
  for (const signupIds of slices(order.signupIds, peoplePerOrder)) await enqueue(db, 'ticket.render', { ...order, signupIds })
}

/** @param eventKey names the event: whoever has heard of it is not told again */
export const orderNotices = async (
  db: TenantDb,
  order: {
    readonly examId: string
    readonly type: TicketType
    readonly signupIds: readonly string[]
    readonly event: TicketEventName
    readonly eventKey: string
    readonly sms?: boolean
  },
): Promise<void> => {
  for (const signupIds of slices(order.signupIds, peoplePerNotice))
    await enqueue(db, 'ticket.notify', { ...order, sms: order.sms === true, signupIds })
}
