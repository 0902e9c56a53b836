import { isFor } from '#contract/file/file-use.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { step } from '#contract/kernel/machine.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import type { handIn } from '#contract/selection/selection.routes.ts'
import { recheckMachine } from '#contract/selection/selection.state.ts'
import { stage as stages } from '#contract/selection/words.ts'
import type { Content } from '#contract/signup/content.ts'
import { checkFiles, type SignFile, visibleFiles } from '#contract/signup/required-files.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { listSignFiles, listSignItems, type SignFileRow, type SignItemRow } from '#modules/exam/index.ts'
import { fileFault, openContent } from '#modules/signup/index.ts'
import { findAnswers, lockPerson, moveReview, type PaperFile, type PersonRow, storePapers } from '../data/person.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'

const asFile = (row: SignFileRow): SignFile => ({ ...row, required: row.required === 1 })
const asItem = (row: SignItemRow) => ({
  itemKey: row.itemKey,
  itemLabel: row.itemLabel,
  fieldType: row.fieldType,
  visibleWhen: row.visibleWhen,
})

interface Asked {
  readonly rows: readonly SignFileRow[]
  readonly items: readonly ReturnType<typeof asItem>[]
  readonly content: Content
}
const readAsked = async (kit: SelectionKit, db: TenantDb, person: PersonRow): Promise<Asked> => {
  const place = { tenantId: db.actor.tenantId, table: 'signup', rowId: person.signupId } as const
  const content = openContent(kit.services.cipher, place, await findAnswers(db, person.signupId)) as Content
  return { rows: await listSignFiles(db, person.examId), items: (await listSignItems(db, person.examId)).map(asItem), content }
}

/** What the examination asks this person for at the re-review. */
export const askedPapers = async (kit: SelectionKit, db: TenantDb, person: PersonRow): Promise<SignFileRow[]> => {
  const { rows, items, content } = await readAsked(kit, db, person)
  const keys = new Set(visibleFiles(rows.map(asFile), items, content, 2).map(({ fileKey }) => fileKey))
  return rows.filter(row => row.stage === 2 && keys.has(row.fileKey))
}

/** Of those, what is required and was not handed in. */
export const missingPapers = async (kit: SelectionKit, db: TenantDb, person: PersonRow) =>
  (await askedPapers(kit, db, person))
    .filter(({ required, fileKey }) => Number(required) === 1 && !person.files.some(one => one.fileKey === fileKey))
    .map(({ fileLabel, fileLabelEn }) => ({ zh: fileLabel, en: fileLabelEn || fileLabel }))

/** `{fileKey: [fileId]}` as the call sends it; undefined for anything else. */
const parse = (text: string): Readonly<Record<string, readonly string[]>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const isGood = Object.values(value).every(ids => Array.isArray(ids) && ids.every(id => typeof id === 'string' && /^\d{1,18}$/.test(id)))
    return isGood ? (value as Readonly<Record<string, readonly string[]>>) : undefined
  } catch {
    return undefined
  }
}

/** Where somebody may hand in papers: waiting for the decision, or asked for more. */
export const mayHandIn = (person: PersonRow): boolean => person.review === 'waiting' || person.review === 'supplement'

/**
 * Takes papers for the re-review: the person's own uploads, of the kinds and sizes that the examination asks for. Somebody who was asked for more waits
 * for the decision again.
 */
export const takePapers = (kit: SelectionKit, ctx: Ctx, input: InputOf<typeof handIn>) =>
  ctx.asSystem('the row of the person is the office’s; what a candidate hands in is checked here', async db => {
    const { userId } = sessionOf(ctx)
    const person = await lockPerson(db, input.signupId)
    if (!person || person.userId !== userId) return refuse('kernel/not-found', {})
    if (!mayHandIn(person)) return refuseSelection('selection/files-closed', {})
    const named = parse(input.fileIds)
    if (named === undefined) return refuse('kernel/invalid-input', {})
    const { rows, items, content } = await readAsked(kit, db, person)
    const wanted = Object.entries(named).flatMap(([fileKey, ids]) => ids.map(fileId => ({ fileKey, fileId })))
    const stored = await kit.file.findMany(
      db,
      wanted.map(({ fileId }) => fileId),
    )
    const files: PaperFile[] = []
    const faults: { field: string; message: Label }[] = []
    const asked = rows.filter(row => row.stage === 2)
    for (const { fileKey, fileId } of wanted) {
      const row = stored.find(one => one.id === fileId)
      // A file of somebody else is answered like one that is not there.
      if (!row || !isFor('signupFile', row, { userId })) throw new Refused(refuse('kernel/not-found', {}))
      const rule = asked.find(one => one.fileKey === fileKey)
      const wrong =
        rule &&
        fileFault(rule, {
          ext: row.ext,
          purpose: row.purpose,
          receivedBytes: row.receivedBytes === null ? null : Number(row.receivedBytes),
          findings: (row.checks ?? []) as Parameters<typeof fileFault>[1]['findings'],
        })
      if (wrong) faults.push({ field: `file:${fileKey}`, message: wrong })
      files.push({
        ...{ fileKey, fileId, name: row.name, size: Number(row.sizeBytes), mime: row.mime, sha256: row.sha256 },
        uploadTime: toWireTime(row.createdAt),
      })
    }
    const missing = checkFiles(asked.map(asFile), items, content, files, 2)
    faults.push(...missing.map(({ fileKey, message }) => ({ field: `file:${fileKey}`, message })))
    const [first] = faults
    if (first)
      return refuseSelection(
        'selection/files',
        { first: ctx.say(first.message) },
        { data: { fields: faults.map(({ field, message }) => ({ field, msg: ctx.say(message) })) } },
      )
    await storePapers(db, person.signupId, { files })
    kit.file.keep(
      db,
      files.map(({ fileId }) => fileId),
      userId,
      'signup',
      person.signupId,
    )
    const to = step(recheckMachine, person.review, 'handIn')
    if (to !== undefined) await moveReview(db, person.signupId, { from: person.review, to })
    await insertStep(db, {
      ...{
        examId: person.examId,
        code: person.code,
        signupId: person.signupId,
        userId,
        stage: stages.recheck,
        kind: 'handedIn',
        byName: person.name,
      },
      facts: { stage: stages.recheck },
    })
    await audit(db, ctx, {
      action: 'selection.handed-in',
      entity: 'signup',
      entityId: person.signupId,
      after: { files: files.map(({ fileKey }) => fileKey) },
    })
    return { reviewState: recheckMachine.wire[to ?? person.review] }
  })
