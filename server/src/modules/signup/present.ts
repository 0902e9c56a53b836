import type { Label } from '#contract/kernel/label.ts'
import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { payStateWire } from '#contract/pay/order.state.ts'
import { adviceIn } from '#contract/signup/canned-advice.ts'
import { type ConditionCheck, conditionLabels, fieldOfCheck } from '#contract/signup/conditions.ts'
import { type Advisement, openParts } from '#contract/signup/content-diff.ts'
import { regionKey } from '#contract/signup/region.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type FormNames, findPostsShown, listFormNames, type PostShown, type SignFileRow, type SignItemRow } from '#modules/exam/index.ts'
import type { StoredFileRow } from '#modules/file/index.ts'
import type { DictionaryEntry } from '#modules/system/index.ts'
import { openContent } from './content-vault.ts'
import { type AnswerLabel, findAnswerLabels } from './data/answer.repo.ts'
import { listRecords, type RecordRow } from './data/examine.repo.ts'
import type { ListedSignup, SignupLine } from './data/list.repo.ts'
import { findReturned, type SignupFile, type SignupRow } from './data/signup.repo.ts'
import type { SignupContext } from './deps.ts'

/** No key of a dictionary is longer. */
const longestKey = 64

export const wireTime = (at: Date | null): string | null => at && toWireTime(at)

export const presentCheck = (say: Ctx['say'], check: ConditionCheck) => ({
  rule: check.rule,
  ruleLabel: say(conditionLabels[check.rule]),
  field: fieldOfCheck(check),
  result: check.result,
  need: say(check.need),
  got: say(check.got),
  blocking: check.blocking,
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

export const presentPost = (post: PostShown) => ({
  code: post.code,
  codeName: post.codeName,
  unit: post.unit,
  unitName: post.unitName,
  type: post.type,
  typeName: post.typeName,
  planNum: post.planNum,
  curNum: post.curNum,
  postState: post.postState,
  ageText: post.ageText ?? '',
  majorText: post.majorText,
  otherText: post.otherText ?? '',
  feeFen: post.feeFen,
})

const labelOf = (zh: string, en: string, say: Ctx['say']): string => say({ zh, en: en || zh } satisfies Label)

/** The form as groups of fields with their options, in the reader's language. */
export const presentForm = (
  ctx: Ctx,
  items: readonly SignItemRow[],
  dictionaries: Readonly<Record<string, readonly DictionaryEntry[]>>,
) => {
  const groups: { name: string; items: ReturnType<typeof field>[] }[] = []
  const field = (item: SignItemRow) => ({
    itemKey: item.itemKey,
    itemLabel: labelOf(item.itemLabel, item.itemLabelEn, ctx.say),
    itemLabelEn: item.itemLabelEn,
    fieldType: item.fieldType,
    dictCode: item.dictCode,
    options:
      item.dictCode === null ? null : (dictionaries[item.dictCode] ?? []).map(entry => ({ value: entry.key, label: ctx.say(entry) })),
    columns: item.columns,
    maxRows: item.maxRows,
    maxLen: item.maxLen,
    pattern: item.pattern,
    min: item.minValue,
    max: item.maxValue,
    placeholder: item.placeholder,
    help: item.help,
    required: item.required === 1,
    visibleWhen: item.visibleWhen,
    sensitive: item.sensitive,
  })
  for (const item of items) {
    const group = groups.find(one => one.name === item.groupName)
    if (group) group.items.push(field(item))
    else groups.push({ name: item.groupName, items: [field(item)] })
  }
  return groups
}

export const presentRequiredFile = (ctx: Ctx, file: SignFileRow) => ({
  fileKey: file.fileKey,
  fileLabel: labelOf(file.fileLabel, file.fileLabelEn, ctx.say),
  fileLabelEn: file.fileLabelEn,
  kind: file.kind,
  accept: file.accept,
  maxKb: file.maxKb,
  minKb: file.minKb,
  maxCount: file.maxCount,
  pixel: file.pixel,
  help: file.help,
  required: file.required === 1,
  visibleWhen: file.visibleWhen,
  stage: file.stage,
})

/** The author of an advice may work in another language than its reader: common texts and names of fields are said in the reader's. */
const adviceReader = (ctx: Ctx, { items, files }: FormNames) => {
  const names = new Map<string, Label>([
    ...items.map(one => [`item ${one.itemKey}`, { zh: one.itemLabel, en: one.itemLabelEn ?? one.itemLabel }] as const),
    ...files.map(one => [`file ${one.fileKey}`, { zh: one.fileLabel, en: one.fileLabelEn ?? one.fileLabel }] as const),
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

const presentRecord = (record: RecordRow, read: AdviceReader) => ({
  id: record.id,
  level: record.level,
  result: record.result,
  remark: read.text(record.remark),
  advisementList: record.advisements.map(read.advice),
  examinerName: record.examinerName,
  examineTime: toWireTime(record.createdAt),
  signVersion: record.signVersion,
  beforeState: signupMachine.wire[record.beforeState],
  afterState: signupMachine.wire[record.afterState],
  durationMs: record.durationMs,
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

/** What a member of staff sees of the id card and the phone without a logged reveal. */
const maskedForStaff = (content: Record<string, unknown>): Record<string, unknown> => ({
  ...content,
  ...(typeof content['idCard'] === 'string' ? { idCard: maskIdCard(content['idCard'], 'region') } : {}),
  ...(typeof content['phone'] === 'string' ? { phone: maskPhone(content['phone']) } : {}),
  ...(typeof content['emergencyPhone'] === 'string' ? { emergencyPhone: maskPhone(content['emergencyPhone']) } : {}),
})

/** Field and key of every answer that may have been chosen from a list; what is sealed never is. */
const givenKeys = (content: Readonly<Record<string, unknown>>): [itemKey: string, key: string][] =>
  Object.entries(content).flatMap(([itemKey, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((key): [string, string][] =>
      key === null || typeof key === 'object' || String(key).length > longestKey ? [] : [[itemKey, String(key)]],
    ),
  )

const valueLabels = (
  ctx: Ctx,
  items: FormNames['items'],
  content: Record<string, unknown>,
  known: readonly AnswerLabel[],
): Record<string, string> => {
  const labels: Record<string, string> = {}
  for (const item of items) {
    const value = content[item.itemKey]
    if (value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value))) continue
    const one = (key: unknown): string => {
      const entry = known.find(candidate => candidate.itemKey === item.itemKey && candidate.key === String(key))
      return entry ? ctx.say(entry) : typeof key === 'object' ? '' : String(key)
    }
    labels[item.itemKey] = Array.isArray(value) ? value.map(one).filter(Boolean).join('、') : one(value)
  }
  return labels
}

/** States that no return leads to without a new version. */
const neverReturned: readonly string[] = ['draft', 'waiting', 'second', 'passed']

/** What a sign-up names; asked for before the first wait, so that all of it travels together. */
const readShown = async (deps: SignupContext, db: TenantDb, row: SignupRow) => {
  const mayHaveReturned = row.signVersion > 1 || !neverReturned.includes(row.examine)
  const codes = [row.code, row.code2].filter(code => code !== null)
  const [names, records, posts, stored, labels, before] = await Promise.all([
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
  ])
  const postOf = (code: string | null) => posts.find(post => post.code === code)
  return { names, records, post: postOf(row.code), post2: postOf(row.code2), stored, labels, before }
}

/** A sign-up with all its reader may see; the owner sees plain answers, staff see id card and phone masked. */
export const presentSignup = async (deps: SignupContext, db: TenantDb, ctx: Ctx, row: SignupRow, reader: 'owner' | 'staff') => {
  const { names, records, post, post2, stored, labels, before } = await readShown(deps, db, row)
  const { items, files: signFiles } = names
  const asked = records.filter(record => record.result === 2).at(-1)
  const place = { tenantId: db.actor.tenantId, table: 'signup', rowId: row.id } as const
  const plain = openContent(deps.services.cipher, place, row.content)
  const content = reader === 'owner' ? plain : maskedForStaff(plain)
  const beforeContent = before ? openContent(deps.services.cipher, place, before.content) : {}
  const shownBefore = reader === 'owner' ? beforeContent : maskedForStaff(beforeContent)
  const read = adviceReader(ctx, names)
  const advisements = row.examine === 'returned' ? row.advisements : (asked?.advisements ?? [])
  const parts =
    row.examine === 'returned'
      ? openParts(
          row.advisements,
          items.map(item => ({ itemKey: item.itemKey, visibleWhen: item.visibleWhen })),
          signFiles,
        )
      : undefined
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
    files: filesShown(deps, ctx, row.files, signFiles, stored),
    advisementList: advisements.map(advice => {
      const isFile = advice.kind === 'file'
      const ids = (files: readonly SignupFile[]) => files.filter(file => file.fileKey === advice.key).map(file => file.name)
      const oldValue = isFile ? ids(before?.files ?? []) : (shownBefore[advice.key] ?? null)
      const newValue = isFile ? ids(row.files) : (content[advice.key] ?? null)
      const isResolved = isFile
        ? JSON.stringify((before?.files ?? []).filter(f => f.fileKey === advice.key).map(f => f.fileId)) !==
          JSON.stringify(row.files.filter(f => f.fileKey === advice.key).map(f => f.fileId))
        : advice.key === regionKey
          ? row.autoCheck.some(check => check.field === regionKey && check.result === 'ok')
          : JSON.stringify(oldValue) !== JSON.stringify(newValue)
      return {
        ...read.advice(advice),
        resolved: isResolved,
        oldValue,
        newValue,
      }
    }),
    checks: row.autoCheck.map(check => presentCheck(ctx.say, check)),
    records: records.map(record => presentRecord(record, read)),
    photoState: row.photoState,
    adjust: row.adjust ? (1 as const) : (0 as const),
    post: post ? presentPost(post) : null,
    post2: post2 ? presentPost(post2) : null,
    openParts: parts
      ? { everything: parts.everything, itemKeys: [...parts.itemKeys], fileKeys: [...parts.fileKeys], post: parts.post }
      : null,
  }
}
