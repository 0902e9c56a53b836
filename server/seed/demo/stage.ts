import type { Label } from '#contract/kernel/label.ts'
import { maskPhone } from '#contract/kernel/mask.ts'
import { smsSegments } from '#contract/message/wording.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { PostInput } from '#modules/exam/domain/post-sheet.ts'
import { type SmsTemplate, smsText } from '#modules/message/templates/sms.ts'
import type { DemoPerson } from './people.ts'
import type { DemoPictures } from './pictures.ts'
import type { Row, RowBook } from './rows.ts'

/** Somebody of the staff who acts in the demo. */
export interface Staff {
  readonly id: string
  readonly name: string
}
export interface Cast {
  readonly examAdmins: readonly Staff[]
  readonly reviewers1: readonly Staff[]
  readonly reviewers2: readonly Staff[]
  readonly finance: readonly Staff[]
}

/** What the people of the demo act on: one examination of one tenant. */
export interface Stage {
  readonly tenantId: string
  readonly book: RowBook
  readonly nextId: () => string
  readonly cipher: FieldCipher
  readonly cast: Cast
  readonly pictures: DemoPictures
  readonly merchant: { readonly mchid: string; readonly appid: string }
  readonly exam: {
    readonly id: string
    readonly name: string
    readonly year: number
    readonly examNo: number
    readonly levels: 1 | 2
    readonly promise: string
    readonly signEnd: Date
    readonly modifyEnd: Date
    readonly payEnd: Date
    readonly payLimitMinutes: number
  }
  readonly posts: ReadonlyMap<string, PostInput>
  readonly feeOf: (post: PostInput) => number
  /** Item keys whose answers are sealed. */
  readonly sensitive: readonly { readonly itemKey: string; readonly sensitive: number }[]
  /** Notices older than this have been read by the people nobody logs in as. */
  readonly readBefore: Date
}

export interface Actor {
  readonly kind: 'staff' | 'candidate' | 'system'
  readonly id: string
}
export const theSystem: Actor = { kind: 'system', id: '0' }
export const staff = (person: Staff): Actor => ({ kind: 'staff', id: person.id })

/** Addresses of RFC 5737, which belong to nobody. */
const addressOf = ({ kind, id }: Actor): string | null =>
  kind === 'system' ? null : `${kind === 'staff' ? '192.0.2' : '198.51.100'}.${(Number(id.slice(-6)) % 254) + 1}`

export const tellAudit = (
  { book, nextId }: Pick<Stage, 'book' | 'nextId'>,
  at: Date,
  actor: Actor,
  entry: { action: string; entity: string; entityId: string; before?: Row; after?: Row; reason?: string },
): void =>
  book.add('audit_log', {
    id: nextId(),
    user_id: actor.id,
    actor_kind: actor.kind,
    action: entry.action,
    entity: entry.entity,
    entity_id: entry.entityId,
    before_value: entry.before ?? null,
    after_value: entry.after ?? null,
    reason: entry.reason ?? null,
    ip: addressOf(actor),
    created_at: at,
  })

/** Who decides at each level of an examination: without them it would seem that nobody reviews it. */
export const addReviewers = ({ book, cast }: Pick<Stage, 'book' | 'cast'>, examId: string): void => {
  for (const [level, people] of [
    [1, cast.reviewers1],
    [2, cast.reviewers2],
  ] as const)
    for (const { id } of people) book.add('exam_user', { exam_id: examId, user_id: id, level, created_by: cast.examAdmins[0]?.id ?? null })
}

export const tellNotice = (
  stage: Pick<Stage, 'book' | 'nextId'> & Partial<Pick<Stage, 'readBefore'>>,
  at: Date,
  to: { userId: string; examId: string | null; keepsUnread: boolean },
  notice: { kind: number; title: Label; content: Label; link: string; eventKey: string },
): void =>
  stage.book.add('notify', {
    id: stage.nextId(),
    user_id: to.userId,
    exam_id: to.examId,
    kind: notice.kind,
    title_zh: notice.title.zh,
    title_en: notice.title.en,
    content_zh: notice.content.zh.slice(0, 500),
    content_en: notice.content.en.slice(0, 800),
    link: notice.link,
    event_key: notice.eventKey,
    read_at: !to.keepsUnread && stage.readBefore && at < stage.readBefore ? new Date(at.getTime() + 45 * 60_000) : null,
    created_at: at,
  })

/** A text message that was handed to the provider a second after it was ordered. */
export const tellSms = (
  { tenantId, book, nextId, cipher }: Pick<Stage, 'tenantId' | 'book' | 'nextId' | 'cipher'>,
  at: Date,
  to: { userId: string; phone: string },
  template: SmsTemplate,
  params: Readonly<Record<string, string>>,
): void => {
  const content = smsText(template, params)
  const id = nextId()
  book.add('sms_message', {
    id,
    user_id: to.userId,
    template,
    phone_sealed: cipher.seal(tenantId, { table: 'sms_message', column: 'phone_sealed', rowId: id }, to.phone),
    phone_mask: maskPhone(to.phone),
    content,
    segments: smsSegments(content),
    state: 1,
    provider: 'log',
    provider_id: id,
    sent_at: new Date(at.getTime() + 1000),
    created_at: at,
  })
}

/** How somebody came to have an account: before the examination, or as one of its sign-ups. */
export interface Owner {
  readonly userId: string
  readonly person: DemoPerson
  /** A person of `demo-accounts.json`, whose notices stay unread. */
  readonly isDemo: boolean
}
