import { refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { picturesOf } from '#contract/kernel/rich-text.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { refuseNews } from '#contract/news/news.errors.ts'
import { notice } from '#contract/news/notice.resource.ts'
import { noticeMachine } from '#contract/news/notice.state.ts'
import { noticeScope, stateWords } from '#contract/news/words.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import type { Row } from '#kernel/crud/rows.ts'
import { type Session, sessionOf } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { insertFile, removeFiles } from '../data/file.repo.ts'
import { authorOf, bothOf, ownOrPublished } from '../data/notice.repo.ts'
import type { NewsKit } from '../deps.ts'
import { keepFileIds, keepText, tieFiles } from './kept-files.ts'

const { draft } = noticeMachine.wire
/** A unit writes drafts of its own (domain 2.2); whoever publishes works on all. */
const isNarrowed = ({ permissions }: Session): boolean => permissions.has('notice_edit') && !permissions.has('notice_release')

const visibleTo = (session: Session) => (isNarrowed(session) ? ownOrPublished(session.userId) : undefined)
/** Notices that whoever works on them sees, as a condition on their rows; undefined for all. */
export const noticesWithin = (session: Session) => bothOf(visibleTo(session), rowScopeOf(session, notice as Resource))

export const refuseUnlessDraft = (row: Row): Refusal | undefined =>
  row['state'] === draft
    ? undefined
    : refuseNews('news/not-draft', { title: String(row['title']), state: stateWords[String(row['state'])] ?? '' })

/** What was published is kept for the record. */
export const refuseKept = (rows: readonly Row[]): Refusal | undefined => {
  const kept = rows.find(row => row['state'] !== draft || row['withdrawnTime'] !== null)
  return kept && refuseNews('news/kept', { title: String(kept['title']) })
}

/** An end that comes before the beginning; either may be there already. */
export const refuseEndBeforeRelease = (input: Row, before: Row | undefined): Refusal | undefined => {
  const of = (name: 'releaseTime' | 'endTime'): Date | null => {
    const sent = input[name]
    if (sent === undefined) return (before?.[name] ?? null) as Date | null
    return typeof sent === 'string' && sent !== '' ? (fromWireTime(sent) ?? null) : null
  }
  const [releaseTime, endTime] = [of('releaseTime'), of('endTime')]
  return releaseTime && endTime && endTime <= releaseTime
    ? refuseField('endTime', { zh: '结束时间须晚于发布时间', en: 'It must end later than it is published' })
    : undefined
}

/** Where a noun has rules of its own, what is left empty takes its default here. */
export const filled = (input: Row, defaults: Row): Row => ({
  ...input,
  ...Object.fromEntries(Object.entries(defaults).filter(([name]) => input[name] === null)),
})

export const noticeRules = (kit: NewsKit): CrudSeams => ({
  visible: ctx => visibleTo(sessionOf(ctx)),
  complete: ({ input }) => {
    const { category, ...rest } = input
    return category === undefined || category === null || rest['noticeType'] !== undefined ? rest : { ...rest, noticeType: category }
  },
  prepare: async ({ ctx, db, input, before }) => {
    const ownerId = before && String(before['id'])
    const problem = before && refuseUnlessDraft(before)
    if (problem) return problem
    if (ownerId && isNarrowed(sessionOf(ctx)) && (await authorOf(db, ownerId)) !== sessionOf(ctx).userId)
      return refuseNews('news/someone-elses', {})
    const given = filled(input, { scope: noticeScope.everybody, isTop: 0, popup: 0, needSure: 0 })
    const scope = given['scope'] ?? before?.['scope'] ?? noticeScope.everybody
    const examId = given['examId'] === undefined ? before?.['examId'] : given['examId']
    if (scope === noticeScope.signedUp && (examId ?? '') === '')
      return refuseField('examId', {
        zh: '范围为“报名考生”时，请选择关联考试',
        en: 'Choose the examination: the notice is for those who signed up',
      })
    const order = refuseEndBeforeRelease(given, before)
    if (order) return order
    const files = await keepFileIds(kit, ctx, db, { input: given, field: 'fileIds', ownerKind: 'notice', ownerId })
    if (isRefusal(files)) return files
    if (given['content'] === undefined) return given
    const content = await keepText(kit, ctx, db, { content: String(given['content']), ownerKind: 'notice', ownerId })
    return isRefusal(content) ? content : { ...given, content }
  },
  refuseRemove: async ({ ctx, db, rows }) => {
    const kept = refuseKept(rows)
    if (kept || !isNarrowed(sessionOf(ctx))) return kept
    for (const row of rows)
      if ((await authorOf(db, String(row['id']))) !== sessionOf(ctx).userId) return refuseNews('news/someone-elses', {})
    return undefined
  },
  afterWrite: async ({ ctx, db, after, input }) => {
    if (!after) return
    const noticeId = String(after['id'])
    const { userId } = sessionOf(ctx)
    tieFiles(kit, ctx, db, picturesOf(String(after['content'])), 'notice', noticeId)
    const removed = idsOf(typeof input['removeFileIds'] === 'string' ? input['removeFileIds'] : undefined)
    if (removed.length > 0) await removeFiles(db, noticeId, removed)
    const fileIds = idsOf(typeof input['fileIds'] === 'string' ? input['fileIds'] : undefined)
    tieFiles(kit, ctx, db, fileIds, 'notice', noticeId)
    const sent = [...(await kit.file.findMany(db, fileIds))]
    for (const file of ctx.files)
      sent.push(await kit.file.keepUpload(db, { file, userId, ownerKind: 'notice', ownerId: noticeId, purpose: 'document' }))
    for (const file of sent) await insertFile(db, { noticeId, fileId: file.id, name: file.name, size: Number(file.sizeBytes) })
  },
})
