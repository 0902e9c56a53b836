import { type Label, label } from '#contract/kernel/label.ts'
import { photoMessages } from '#contract/signup/photo.ts'

/** What an examination asks of one of its files (domain 3.4). */
export interface FileRule {
  /** 1: the certified photo. */
  readonly kind: number
  readonly fileLabel: string
  readonly fileLabelEn: string
  /** Endings, comma-joined. */
  readonly accept: string
  readonly pixel: {
    readonly minW: number
    readonly minH: number
    readonly maxW: number
    readonly maxH: number
    readonly ratio: readonly [number, number]
  } | null
}
interface Finding {
  readonly rule: string
  readonly ok: boolean
  readonly got: string
}

/** The examination's own pixels, where it asks for some; the size is what the person sent, before the photo was made small. */
const pixelFault = ({ pixel }: FileRule, findings: readonly Finding[]): Label | undefined => {
  const [width = 0, height = 0] = (findings.find(finding => finding.rule === 'size')?.got ?? '').split('×').map(Number)
  if (pixel === null || !(width > 0 && height > 0)) return undefined
  const { minW, minH, maxW, maxH, ratio } = pixel
  if (width < minW || height < minH)
    return label(
      `证件照像素过小（${width}×${height}），至少 ${minW}×${minH}`,
      `The photo has too few pixels (${width}×${height}); at least ${minW}×${minH}`,
    )
  if (width > maxW || height > maxH)
    return label(
      `证件照像素过大（${width}×${height}），至多 ${maxW}×${maxH}`,
      `The photo has too many pixels (${width}×${height}); at most ${maxW}×${maxH}`,
    )
  // Rounded as findings are: a cut of 295×413 is 0.714….
  const shape = Number((width / height).toFixed(2))
  return shape < ratio[0] || shape > ratio[1]
    ? label(
        `证件照宽高比应为 ${ratio[0]} 至 ${ratio[1]}，请裁剪`,
        `The photo’s width by height must be ${ratio[0]} to ${ratio[1]}; please crop it`,
      )
    : undefined
}

/**
 * What speaks against a stored file. The certified photo is judged by what was found when it came in, its pixels by the examination's own
 * rule where it has one; other files by their ending. The size in bytes was looked at when it came: stored pictures are encoded anew.
 */
export const fileFault = (rule: FileRule, file: { readonly ext: string; readonly findings: readonly Finding[] }): Label | undefined => {
  if (rule.kind !== 1) {
    const accepted = rule.accept.split(',').map(ending => ending.trim().replace('jpeg', 'jpg'))
    if (accepted.includes(file.ext.replace('jpeg', 'jpg'))) return undefined
    const kinds = [...new Set(accepted)]
    return label(`${rule.fileLabel}只接受 ${kinds.join('、')}`, `${rule.fileLabelEn || rule.fileLabel} must be ${kinds.join(', ')}`)
  }
  const ownPixels = rule.pixel === null ? [] : ['size', 'ratio']
  const failed = file.findings.find(finding => !finding.ok && !ownPixels.includes(finding.rule))
  return (
    (failed && (photoMessages[failed.rule] ?? label('证件照不符合要求', 'The photo does not meet the rules'))) ??
    pixelFault(rule, file.findings)
  )
}
