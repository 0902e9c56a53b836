import { type Label, label } from '#contract/kernel/label.ts'
import { type PhotoFinding, photoFault } from '#contract/signup/photo.ts'

/** What an examination asks of one of its files (domain 3.4). */
export interface FileRule {
  /** 1: the certified photo. */
  readonly kind: number
  readonly fileLabel: string
  readonly fileLabelEn: string
  /** Endings, comma-joined. */
  readonly accept: string
  readonly maxKb: number
  /** 0: none. */
  readonly minKb: number
  readonly pixel: {
    readonly minW: number
    readonly minH: number
    readonly maxW: number
    readonly maxH: number
    readonly ratio: readonly [number, number]
  } | null
}
/** The examination's own limits of size, held against the file as it came. */
const sizeFault = ({ fileLabel, fileLabelEn, maxKb, minKb }: FileRule, receivedBytes: number | null): Label | undefined => {
  if (receivedBytes === null) return undefined
  const name = fileLabelEn || fileLabel
  const kb = Math.ceil(receivedBytes / 1024)
  if (receivedBytes > maxKb * 1024)
    return label(`${fileLabel}不能超过 ${maxKb} KB（现为 ${kb} KB）`, `${name} must not exceed ${maxKb} KB (it has ${kb} KB)`)
  if (receivedBytes < minKb * 1024)
    return label(`${fileLabel}不能小于 ${minKb} KB，请上传清晰的文件`, `${name} must have at least ${minKb} KB; please send a clear one`)
  return undefined
}

/** A stored file as it is judged. */
export interface JudgedFile {
  readonly ext: string
  readonly purpose: string
  /** Null: not known, made by the program or from before it was noted. */
  readonly receivedBytes: number | null
  readonly findings: readonly PhotoFinding[]
}

/**
 * What speaks against a stored file. The certified photo is judged by what was found when it came in, its pixels by the examination's own
 * rule where it has one; a picture that came as something else was never looked at and is none. Other files are judged by their ending, all
 * by the size they came with.
 */
export const fileFault = (rule: FileRule, file: JudgedFile): Label | undefined =>
  kindFault(rule, file) ?? sizeFault(rule, file.receivedBytes)

const kindFault = (rule: FileRule, file: JudgedFile): Label | undefined => {
  if (rule.kind !== 1) {
    const accepted = rule.accept.split(',').map(ending => ending.trim().replace('jpeg', 'jpg'))
    if (accepted.includes(file.ext.replace('jpeg', 'jpg'))) return undefined
    const kinds = [...new Set(accepted)]
    return label(`${rule.fileLabel}只接受 ${kinds.join('、')}`, `${rule.fileLabelEn || rule.fileLabel} must be ${kinds.join(', ')}`)
  }
  if (file.purpose !== 'photo')
    return label(
      `请重新上传${rule.fileLabel}：须作为证件照上传，经过自动检查`,
      `Please upload ${rule.fileLabelEn || rule.fileLabel} again, as a portrait photo, so that it is checked`,
    )
  return photoFault(rule.pixel, file.findings)
}
