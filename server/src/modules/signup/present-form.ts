import type { Ctx } from '#kernel/http/context.ts'
import type { PostShown, SignFileRow, SignItemRow } from '#modules/exam/index.ts'
import type { DictionaryEntry } from '#modules/reference/index.ts'
import type { SignupContext } from './deps.ts'

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

/** A text of the form in the reader's language; not everything an office writes has an English one. */
export const labelOf = (zh: string, en: string, say: Ctx['say']): string => say({ zh, en: en || zh })

const helpOf = ({ help, helpEn }: Pick<SignItemRow, 'help' | 'helpEn'>, say: Ctx['say']): string | null =>
  help === null ? helpEn : labelOf(help, helpEn ?? '', say)

/** The form as groups of fields with their options, in the reader's language. */
export const presentForm = (
  ctx: Ctx,
  items: readonly SignItemRow[],
  dictionaries: Readonly<Record<string, readonly DictionaryEntry[]>>,
) => {
  const groups: { name: string; items: ReturnType<typeof field>[] }[] = []
  const choicesOf = (code: string | null | undefined) =>
    code ? (dictionaries[code] ?? []).map(entry => ({ value: entry.key, label: ctx.say(entry) })) : null
  const field = (item: SignItemRow) => ({
    itemKey: item.itemKey,
    itemLabel: labelOf(item.itemLabel, item.itemLabelEn, ctx.say),
    itemLabelEn: item.itemLabelEn,
    fieldType: item.fieldType,
    dictCode: item.dictCode,
    options: choicesOf(item.dictCode),
    columns:
      item.columns?.map(column => ({
        ...column,
        label: labelOf(column.label, column.labelEn ?? '', ctx.say),
        options: choicesOf(column.dictCode),
      })) ?? null,
    maxRows: item.maxRows,
    maxLen: item.maxLen,
    pattern: item.pattern,
    min: item.minValue,
    max: item.maxValue,
    placeholder: item.placeholder,
    help: helpOf(item, ctx.say),
    required: item.required === 1,
    visibleWhen: item.visibleWhen,
    sensitive: item.sensitive,
  })
  const english = new Map(items.flatMap(item => (item.groupNameEn ? [[item.groupName, item.groupNameEn] as const] : [])))
  for (const item of items) {
    const name = labelOf(item.groupName, english.get(item.groupName) ?? '', ctx.say)
    const group = groups.find(one => one.name === name)
    if (group) group.items.push(field(item))
    else groups.push({ name, items: [field(item)] })
  }
  return groups
}

export const presentRequiredFile = (deps: SignupContext, ctx: Ctx, file: SignFileRow) => ({
  fileKey: file.fileKey,
  fileLabel: labelOf(file.fileLabel, file.fileLabelEn, ctx.say),
  fileLabelEn: file.fileLabelEn,
  kind: file.kind,
  accept: file.accept,
  maxKb: file.maxKb,
  minKb: file.minKb,
  maxCount: file.maxCount,
  pixel: file.pixel,
  help: helpOf(file, ctx.say),
  sampleUrl:
    file.sampleFileId === null
      ? null
      : deps.file.linkFor({ tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' }, file.sampleFileId, ctx.arrivedAt),
  required: file.required === 1,
  visibleWhen: file.visibleWhen,
  stage: file.stage,
})
