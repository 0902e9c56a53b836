import type { Label } from '../kernel/label.ts'
import { type Content, type SignItem, type VisibleWhen, visibleKeys } from './content.ts'
import type { SignupFileRef } from './content-diff.ts'

/** A file that one examination asks for (domain 3.4 `signfiles`). */
export interface SignFile {
  readonly fileKey: string
  readonly fileLabel: string
  /** Empty or absent: the label stands in both languages. */
  readonly fileLabelEn?: string | null
  readonly required?: boolean
  readonly maxCount?: number | null
  readonly visibleWhen?: VisibleWhen | null
  /** 1 at sign-up, 2 at re-review. */
  readonly stage?: 1 | 2
}

export interface FileProblem {
  readonly fileKey: string
  readonly reason: 'missing' | 'too-many' | 'unknown'
  readonly message: Label
}

/** The files that are asked for with these answers. */
export function visibleFiles(signFiles: readonly SignFile[], items: readonly SignItem[], content: Content, stage: 1 | 2 = 1): SignFile[] {
  const asFields = signFiles.map(
    (file): SignItem => ({
      itemKey: `file:${file.fileKey}`,
      itemLabel: file.fileLabel,
      fieldType: 'image',
      visibleWhen: file.visibleWhen ?? null,
    }),
  )
  const visible = visibleKeys([...items, ...asFields], content)
  return signFiles.filter(file => (file.stage ?? 1) === stage && visible.has(`file:${file.fileKey}`))
}

/** What is wrong with the files of a sign-up: not asked for, missing, more than `maxCount` (default 1). */
export function checkFiles(
  signFiles: readonly SignFile[],
  items: readonly SignItem[],
  content: Content,
  files: readonly SignupFileRef[],
  stage: 1 | 2 = 1,
): FileProblem[] {
  const asked = visibleFiles(signFiles, items, content, stage)
  const known = new Set(signFiles.map(file => file.fileKey))
  const unknown = [...new Set(files.map(file => file.fileKey))].filter(key => !known.has(key))
  return [
    ...unknown.map(
      (fileKey): FileProblem => ({
        fileKey,
        reason: 'unknown',
        message: { zh: `不需要此材料：${fileKey}`, en: `Not asked for: ${fileKey}` },
      }),
    ),
    ...asked.flatMap((file): FileProblem[] => {
      const count = files.filter(one => one.fileKey === file.fileKey).length
      const max = file.maxCount ?? 1
      const { fileKey, fileLabel } = file
      const english = file.fileLabelEn || fileLabel
      if (count === 0 && file.required)
        return [{ fileKey, reason: 'missing', message: { zh: `请上传${fileLabel}`, en: `Please upload ${english}` } }]
      if (count > max)
        return [{ fileKey, reason: 'too-many', message: { zh: `${fileLabel}最多 ${max} 个文件`, en: `${english}: at most ${max} files` } }]
      return []
    }),
  ]
}
