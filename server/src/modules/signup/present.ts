import type { Label } from '#contract/kernel/label.ts'
import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { payStateWire } from '#contract/pay/order.state.ts'
import { type AnswerWords, answerText } from '#contract/signup/answer-text.ts'
import { adviceIn } from '#contract/signup/canned-advice.ts'
import { type ConditionCheck, checkLabel, fieldOfCheck, isUnsaid } from '#contract/signup/conditions.ts'
import type { Content } from '#contract/signup/content.ts'
import {
  type Advisement,
  diffContent,
  diffFiles,
  isHeeded,
  openParts,
  signatureKey,
  type VersionParts,
} from '#contract/signup/content-diff.ts'
import { regionKey } from '#contract/signup/region.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type FormNames, findPostsShown, listFormNames, type SignFileRow, type SignItemRow } from '#modules/exam/index.ts'
import type { StoredFileRow } from '#modules/file/index.ts'
import { regionName } from '#modules/reference/index.ts'
import { openContent } from './content-vault.ts'
import { type AnswerLabel, findAnswerLabels, longestKey } from './data/answer.repo.ts'
import { listRecords, type RecordRow } from './data/examine.repo.ts'
import type { ListedSignup, SignupLine } from './data/list.repo.ts'
import { findHistory, findReturned, type SavedForm, type SignupFile, type SignupRow } from './data/signup.repo.ts'
import type { SignupContext } from './deps.ts'
import type { Judgement } from './domain/judge.ts'
import { labelOf, presentPost } from './present-form.ts'

export const wireTime = (at: Date | null): string | null => at && toWireTime(at)

export const presentCheck = (say: Ctx['say'], check: ConditionCheck) => ({
  rule: check.rule,
  ruleLabel: say(checkLabel(check)),
  choice: check.choice ?? 1,
  field: fieldOfCheck(check),
  result: check.result,
  need: say(check.need),
  got: say(check.got),
  isSaid: !isUnsaid(check),
  blocking: check.blocking,
})

export const presentJudged = (say: Ctx['say'], { checks, told, demanded }: Judgement) => ({
  autoCheck: checks.map(check => presentCheck(say, check)),
  told: told.map(({ field, message }) => ({ field, msg: say(message) })),
  demanded: [...demanded],
})

export const presentRow = (
  now: Date,
  row: SignupLine & Partial<Pick<ListedSignup, 'unitName' | 'typeName' | 'codeName' | 'lockedBy'>>,
) => ({
  id: row.id,
  examId: row.examId,
  signNo: row.signNo,
  name: row.name,
  nameRare: row.nameRare ? (1 as const) : (0 as const),
  idCardMask: row.idCardMask,
  phoneMask: row.phoneMask,
  sex: row.sex,
  unit: row.unit,
  unitName: row.unitName ?? null,
  type: row.type,
  typeName: row.typeName ?? null,
  code: row.code,
  codeName: row.codeName ?? null,
  code2: row.code2,
  type2: row.type2,
  unit2: row.unit2,
  education: row.education,
  major: row.major,
  examine: signupMachine.wire[row.examine],
  examineRemark: row.examineRemark,
  examineTime: wireTime(row.examineTime),
  examineLevel: row.examineLevel,
  signVersion: row.signVersion,
  autoCheck: row.autoResult,
  waitMinutes: row.submitTime ? Math.max(0, Math.floor((now.getTime() - row.submitTime.getTime()) / 60_000)) : 0,
  lockedBy: row.lockedBy ?? null,
  payState: payStateWire[row.payState],
  submitTime: wireTime(row.submitTime),
})

const signatureLabel: Label = { zh: '承诺书签名', en: 'Signature of the undertaking' }

/** The author of an advice may work in another language than its reader: common texts and names of fields are said in the reader's. */
const adviceReader = (ctx: Ctx, { items, files }: FormNames) => {
  const names = new Map<string, Label>([
    ...items.map(one => [`item ${one.itemKey}`, { zh: one.itemLabel, en: one.itemLabelEn ?? one.itemLabel }] as const),
    ...files.map(one => [`file ${one.fileKey}`, { zh: one.fileLabel, en: one.fileLabelEn ?? one.fileLabel }] as const),
    [`file ${signatureKey}`, signatureLabel],
  ])
  const text = <T extends string | null>(written: T): T => (written === null ? written : (adviceIn(written, ctx.language) as T))
  return {
    text,
    advice: (advice: Advisement) => {
      const name = names.get(`${advice.kind} ${advice.key}`)
      const label = name === undefined ? advice.label : ctx.say(name)
      return { kind: advice.kind, key: advice.key, ...(label === undefined ? {} : { label }), advice: text(advice.advice ?? '') }
    },
  }
}
type AdviceReader = ReturnType<typeof adviceReader>

/** Who decided, and how long they took, is the office's own: the candidate has the decision from the bureau. */
const presentRecord = (record: RecordRow, read: AdviceReader, reader: 'owner' | 'staff') => ({
  id: record.id,
  level: record.level,
  result: record.result,
  remark: read.text(record.remark),
  advisementList: record.advisements.map(read.advice),
  examinerName: reader === 'owner' ? '' : record.examinerName,
  examineTime: toWireTime(record.createdAt),
  signVersion: record.signVersion,
  beforeState: signupMachine.wire[record.beforeState],
  afterState: signupMachine.wire[record.afterState],
  durationMs: reader === 'owner' ? null : record.durationMs,
})

const filesShown = (
  deps: SignupContext,
  ctx: Ctx,
  files: readonly SignupFile[],
  signFiles: FormNames['files'],
  stored: readonly Pick<StoredFileRow, 'id' | 'checks'>[],
) => {
  const reader = { tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' }
  return files.map(file => {
    const sign = signFiles.find(one => one.fileKey === file.fileKey)
    return {
      fileKey: file.fileKey,
      fileLabel: sign ? labelOf(sign.fileLabel, sign.fileLabelEn, ctx.say) : file.fileKey,
      fileId: file.fileId,
      name: file.name,
      sizeBytes: file.size,
      mime: file.mime,
      sha256: file.sha256,
      link: deps.file.linkFor(reader, file.fileId, ctx.arrivedAt),
      uploadTime: file.uploadTime,
      checks: (stored.find(row => row.id === file.fileId)?.checks ?? null) as { rule: string; ok: boolean; got: string }[] | null,
    }
  })
}

export const presentFiles = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  files: readonly SignupFile[],
  signFiles: readonly SignFileRow[],
) => {
  const stored = await deps.file.findMany(
    db,
    files.map(file => file.fileId),
  )
  return filesShown(deps, ctx, files, signFiles, stored)
}

/** A form as it is kept for its owner, submitted or not: the shape in which forms and saves hand it out. */
export const presentKept = async (deps: SignupContext, db: TenantDb, ctx: Ctx, { examId }: Pick<SignupRow, 'examId'>, kept: SavedForm) => {
  const [names, posts] = await Promise.all([
    listFormNames(db, examId),
    findPostsShown(
      db,
      examId,
      [kept.code, kept.code2].flatMap(code => code ?? []),
    ),
  ])
  const stored = await deps.file.findMany(
    db,
    kept.files.map(file => file.fileId),
  )
  const postOf = (code: string | null) => {
    const post = posts.find(one => one.code === code)
    return post ? presentPost(post) : null
  }
  return { ...kept, files: filesShown(deps, ctx, kept.files, names.files, stored), post: postOf(kept.code), post2: postOf(kept.code2) }
}

/** What a member of staff sees of these answers without a logged reveal. */
const staffMasks: Readonly<Record<string, (value: string) => string>> = {
  idCard: value => maskIdCard(value, 'region'),
  phone: maskPhone,
  emergencyPhone: maskPhone,
}
const maskedForStaff = (content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).map(([key, value]) => [key, typeof value === 'string' ? (staffMasks[key]?.(value) ?? value) : value]),
  )

/** Field and key of every answer that may have been chosen from a list; what is sealed never is. */
const givenKeys = (content: Content): [itemKey: string, key: string][] =>
  Object.entries(content).flatMap(([itemKey, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((key): [string, string][] =>
      key === null || typeof key === 'object' || String(key).length > longestKey ? [] : [[itemKey, String(key)]],
    ),
  )

const valueLabels = (ctx: Ctx, items: FormNames['items'], content: Content, known: readonly AnswerLabel[]): Record<string, string> => {
  const words: AnswerWords = {
    chosen: ({ itemKey, fieldType }, key) => {
      if (fieldType === 'region') return regionName(key)
      const entry = known.find(candidate => candidate.itemKey === itemKey && candidate.key === key)
      return entry && ctx.say(entry)
    },
    ...{ between: ctx.say({ zh: '、', en: ', ' }), betweenCells: ' ', betweenRows: ctx.say({ zh: '；', en: '; ' }) },
    ...{ provided: ctx.say({ zh: '已提供', en: 'Provided' }), sealed: '****' },
  }
  return Object.fromEntries(
    items.flatMap(item => {
      const value = content[item.itemKey]
      // A table is drawn cell by cell.
      return value === undefined || value === null || item.fieldType === 'table' ? [] : [[item.itemKey, answerText(item, value, words)]]
    }),
  )
}

interface Version extends VersionParts {
  readonly files: readonly SignupFile[]
}
/** A version as advice is compared with it. The region of the first step is told by the check that judged it: versions keep no other trace. */
const versionOf = (row: Pick<SignupRow, 'code' | 'code2' | 'files' | 'autoCheck'>, content: Content): Version => ({
  code: row.code ?? '',
  code2: row.code2,
  files: row.files,
  content: { ...content, [regionKey]: row.autoCheck.find(check => check.field === regionKey)?.got },
})
/** The part that a piece of advice is about: names of files, the code of the post, an answer. */
const shownPart = (advice: Advisement, version: Version): unknown => {
  if (advice.kind === 'file') return version.files.filter(file => file.fileKey === advice.key).map(file => file.name)
  if (advice.kind === 'post') return version.code
  return advice.key === regionKey ? null : (version.content[advice.key] ?? null)
}

/** States that no return leads to without a new version. */
const neverReturned: readonly string[] = ['draft', 'waiting', 'second', 'passed']

/** What a sign-up names; asked for before the first wait, so that all of it travels together. */
const readShown = async (deps: SignupContext, db: TenantDb, row: SignupRow, reader: 'owner' | 'staff') => {
  const mayHaveReturned = row.signVersion > 1 || !neverReturned.includes(row.examine)
  const codes = [row.code, row.code2].filter(code => code !== null)
  const [names, records, posts, stored, labels, before, signature] = await Promise.all([
    listFormNames(db, row.examId),
    listRecords(db, row.id),
    codes.length > 0 ? findPostsShown(db, row.examId, codes) : [],
    row.files.length > 0
      ? deps.file.findChecks(
          db,
          row.files.map(file => file.fileId),
        )
      : [],
    findAnswerLabels(db, row.examId, givenKeys(row.content)),
    mayHaveReturned ? findReturned(db, row.id) : undefined,
    reader === 'staff' && row.signatureFileId !== null ? deps.file.find(db, row.signatureFileId) : undefined,
  ])
  const postOf = (code: string | null) => posts.find(post => post.code === code)
  return { names, records, post: postOf(row.code), post2: postOf(row.code2), stored, labels, before, signature }
}

/** The signature below the undertaking, beside the files of the form: it is evidence, and no part that is asked for again by name. */
const signatureShown = (deps: SignupContext, ctx: Ctx, file: StoredFileRow | undefined) => {
  if (file === undefined) return []
  const kept = {
    ...{ fileKey: signatureKey, fileId: file.id, name: file.name, size: Number(file.sizeBytes) },
    ...{ mime: file.mime, sha256: file.sha256, uploadTime: toWireTime(file.createdAt) },
  }
  return filesShown(deps, ctx, [kept], [], []).map(shown => ({
    ...shown,
    fileLabel: ctx.say(signatureLabel),
  }))
}

/** A sign-up with all its reader may see; the owner sees plain answers, staff see id card and phone masked. */
export const presentSignup = async (deps: SignupContext, db: TenantDb, ctx: Ctx, row: SignupRow, reader: 'owner' | 'staff') => {
  const { names, records, post, post2, stored, labels, before, signature } = await readShown(deps, db, row, reader)
  const { items, files: signFiles } = names
  const asked = records.filter(record => record.result === 2).at(-1)
  const place = { tenantId: db.actor.tenantId, table: 'signup', rowId: row.id } as const
  const shownTo = (content: Content): Content => {
    const plain = openContent(deps.services.cipher, place, content)
    return reader === 'owner' ? plain : maskedForStaff(plain)
  }
  const content = shownTo(row.content)
  const read = adviceReader(ctx, names)
  const advisements = row.examine === 'returned' ? row.advisements : (asked?.advisements ?? [])
  const parts = row.examine === 'returned' ? openParts(row.advisements, items, signFiles) : undefined
  const now = versionOf(row, content)
  const then = before && versionOf(before, shownTo(before.content))
  return {
    ...presentRow(ctx.arrivedAt, {
      ...row,
      ...(post ? { unitName: post.unitName, typeName: post.typeName, codeName: post.codeName } : {}),
    }),
    examineRemark: read.text(row.examineRemark),
    province: row.province,
    city: row.city,
    area: row.area,
    content,
    contentLabels: valueLabels(ctx, items, content, labels),
    files: [...filesShown(deps, ctx, row.files, signFiles, stored), ...signatureShown(deps, ctx, signature)],
    advisementList: advisements.map(advice => ({
      ...read.advice(advice),
      // A signature is drawn for each version, so that of a later one is another.
      resolved:
        then !== undefined &&
        (advice.key === signatureKey ? row.signVersion > (before?.signVersion ?? row.signVersion) : isHeeded(advice, then, now)),
      oldValue: then ? shownPart(advice, then) : null,
      newValue: shownPart(advice, now),
    })),
    checks: row.autoCheck.map(check => presentCheck(ctx.say, check)),
    records: records.map(record => presentRecord(record, read, reader)),
    photoState: row.photoState,
    adjust: row.adjust ? (1 as const) : (0 as const),
    post: post ? presentPost(post) : null,
    post2: post2 ? presentPost(post2) : null,
    openParts: parts
      ? { everything: parts.everything, itemKeys: [...parts.itemKeys], fileKeys: [...parts.fileKeys], post: parts.post }
      : null,
  }
}

/** What changed since the version before: answers, and file keys with the files that stood there. Numbers of persons are not shown. */
export const presentChanges = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  row: SignupRow,
  { items, files }: { readonly items: readonly SignItemRow[]; readonly files: readonly SignFileRow[] },
) => {
  const previous = row.signVersion > 1 ? await findHistory(db, row.id, row.signVersion - 1) : undefined
  if (!previous) return { changedItems: [], changedFiles: [], previousFiles: [] }
  const place = { tenantId: db.actor.tenantId, table: 'signup', rowId: row.id } as const
  const [before, after] = [previous.content, row.content].map(content => openContent(deps.services.cipher, place, content))
  const changedFiles = diffFiles(previous.files, row.files)
  const replaced = previous.files.filter(file => changedFiles.includes(file.fileKey))
  return {
    changedItems: diffContent(before ?? {}, after ?? {}).map(change => {
      const item = items.find(one => one.itemKey === change.key)
      return {
        key: change.key,
        label: item ? labelOf(item.itemLabel, item.itemLabelEn, ctx.say) : change.key,
        ...(change.key in staffMasks ? { before: '***', after: '***' } : { before: change.before, after: change.after }),
      }
    }),
    changedFiles,
    previousFiles: await presentFiles(deps, db, ctx, replaced, files),
  }
}
