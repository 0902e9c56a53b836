import type { ApiOutput } from '#web/kernel/api.ts'
import type { Lang } from '#web/kernel/i18n/index.ts'
import type { Content, Draft, SignFile, SignItem, SignupForm, UploadedFile } from './wire.ts'

type Answer = ApiOutput<'GET /blade-signup/signup/getExamInfoOrSignUpInfo'>

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const fileOf = (file: Record<string, unknown>): UploadedFile => ({
  fileKey: String(file.fileKey),
  fileId: String(file.fileId),
  name: String(file.name ?? ''),
  sizeBytes: Number(file.sizeBytes ?? file.size ?? 0),
  mime: textOf(file.mime),
  link: textOf(file.link),
  ...(Array.isArray(file.checks) ? { checks: file.checks as UploadedFile['checks'] } : {}),
})

/** The contract leaves the draft open: it is what an earlier version of this form has sent. */
export const draftOf = (draft: unknown): Draft | null => {
  if (typeof draft !== 'object' || draft === null) return null
  const outer = draft as Record<string, unknown>
  const inner = (typeof outer.data === 'object' && outer.data !== null ? outer.data : outer) as Record<string, unknown>
  return {
    province: textOf(inner.province),
    city: textOf(inner.city),
    area: textOf(inner.area),
    code: textOf(inner.code),
    code2: textOf(inner.code2),
    content: (inner.content ?? {}) as Content,
    post: (inner.post ?? null) as Draft['post'],
    post2: (inner.post2 ?? null) as Draft['post'],
    files: Array.isArray(inner.files) ? inner.files.map(file => fileOf(file as Record<string, unknown>)) : [],
  }
}

/** The answer in the shapes of the shared rules, each label in the reader's language. */
export const toForm = (answer: Answer, lang: Lang): SignupForm => ({
  exam: answer.exam,
  groups: answer.items.map(group => ({
    name: group.name,
    items: group.items.map(item => ({ ...item, itemLabel: (lang === 'en' && item.itemLabelEn) || item.itemLabel }) as SignItem),
  })),
  prefill: answer.prefill,
  verified: answer.verified,
  files: answer.files.map(file => ({ ...file, fileLabel: (lang === 'en' && file.fileLabelEn) || file.fileLabel }) as SignFile),
  signup: answer.signup,
  draft: draftOf(answer.draft),
  draftVersion: answer.draftVersion,
  unsent: answer.unsent,
  judged: answer.judged,
  savedAt: answer.savedAt,
  asksRegion: answer.asksRegion,
  canSubmit: answer.canSubmit,
  canAppeal: answer.canAppeal,
  reason: answer.reason,
})
