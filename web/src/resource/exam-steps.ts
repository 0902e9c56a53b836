import type { Label } from '#web/kernel/i18n/index.ts'

/** The eight steps of the wizard (domain 6.1), counted from 0. */
export const steps: readonly { readonly key: string; readonly title: Label }[] = [
  { key: 'basic', title: { zh: '基本信息', en: 'Basics' } },
  { key: 'times', title: { zh: '时间轴', en: 'Timeline' } },
  { key: 'posts', title: { zh: '岗位导入', en: 'Posts' } },
  { key: 'fields', title: { zh: '报名项', en: 'Form fields' } },
  { key: 'files', title: { zh: '材料', en: 'Files' } },
  { key: 'papers', title: { zh: '考试项目与费用', en: 'Papers and fees' } },
  { key: 'review', title: { zh: '审核设置', en: 'Review' } },
  { key: 'publish', title: { zh: '检查并发布', en: 'Check and release' } },
]

const rules: readonly (readonly [RegExp, number])[] = [
  [/^(sign(Begin|End)|modifyEnd|examine(Begin|End)|appealEnd|pay(Begin|End)|adjust(Begin|End)|(ms)?[tT]icket(Begin|End)|scoreBegin)/, 1],
  [/^(posts?|typeCodes?|type_code)/i, 2],
  [/^(signitems|signItems|form)/, 3],
  [/^(signfiles|signFiles|files?|photo)/, 4],
  [/^(exam[iI]tems|items|papers?|fee|pay|refundPolicy)/, 5],
  [
    /^(examineLevels|allotMode|allow|changePost|openRatio|ratioBasis|shortlistRatio|writtenWeight|interviewWeight|scoreScale|passScore|interviewPass|tieBreak|regionLabel|hideCounts|needSignature)/,
    6,
  ],
  [/^(name|exam(Name|Code|No|Type)|year|organizer|undertaker|contactPhone|deptId|managers|description|promise|cover)/, 0],
]

/** In which step the field at `path` of a problem is mended; null when no step has it. */
export const stepOfPath = (path: string): number | null => rules.find(([pattern]) => pattern.test(path))?.[1] ?? null
