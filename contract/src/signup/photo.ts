import type { Label } from '../kernel/label.ts'

// One rule for the certified photo: the cropping dialog, the card of the file and the submit all ask it.

/** What was found when the photo came in, by the rules of `kernel/files/image.ts` (domain 3.4). */
export interface PhotoFinding {
  readonly rule: string
  readonly ok: boolean
  readonly got: string
}

/** The examination's own pixels; a side that is not set does not limit. */
export interface PhotoPixels {
  readonly minW?: number | undefined
  readonly minH?: number | undefined
  readonly maxW?: number | undefined
  readonly maxH?: number | undefined
  /** Width / height, lowest and highest. */
  readonly ratio?: readonly [number, number] | null | undefined
}

/** `reviewer`: a machine cannot judge it, and the photo is taken until somebody has looked. */
export type PhotoVerdict = 'ok' | 'refused' | 'reviewer'

export interface JudgedFinding extends PhotoFinding {
  readonly verdict: PhotoVerdict
  /** Why it is not simply good. */
  readonly message?: Label
}

// Of its own: the browser's form needs nothing else of the kernel.
const label = (zh: string, en: string): Label => ({ zh, en })

const messages: Readonly<Record<string, Label>> = {
  format: { zh: '证件照应为 JPG 或 PNG 图片', en: 'The photo must be a JPG or PNG picture' },
  bytes: { zh: '证件照文件过大', en: 'The file of the photo is too large' },
  decode: { zh: '证件照无法读取，请换一张', en: 'The photo cannot be read; please take another one' },
  size: { zh: '证件照像素过小', en: 'The photo has too few pixels' },
  ratio: { zh: '证件照宽高比应约为 5:7，请裁剪', en: 'The photo must be about 5:7; please crop it' },
}
const unknownRule: Label = { zh: '证件照不符合要求', en: 'The photo does not meet the rules' }

const redGround: Label = {
  zh: '证件照背景是红色，应为白色或蓝色，请换一张',
  en: 'The ground of the photo is red; it must be white or blue',
}
const doubtfulGround: Label = {
  zh: '背景不像是单一的白色或蓝色，由审核人员判断',
  en: 'The ground does not look all white or all blue; a reviewer will judge it',
}
const nobody: Label = { zh: '证件照上看不到人像，请换一张', en: 'Nobody can be seen on the photo; please take another one' }
const doubtfulLight: Label = {
  zh: '照片可能过暗、过亮或不清晰，由审核人员判断',
  en: 'The photo may be too dark, too bright or unclear; a reviewer will judge it',
}

/** What `lookAtPortrait` says where nothing differs from the ground. */
const nothingThere = 'nothing but ground'

/** Only what is certain refuses: shades and patterns of a ground, and light, are for people. */
const looked = ({ rule, got }: PhotoFinding): Pick<JudgedFinding, 'verdict' | 'message'> => {
  if (rule === 'ground')
    return got.startsWith('red ') ? { verdict: 'refused', message: redGround } : { verdict: 'reviewer', message: doubtfulGround }
  return got === nothingThere ? { verdict: 'refused', message: nobody } : { verdict: 'reviewer', message: doubtfulLight }
}

const sizeIn = (findings: readonly PhotoFinding[]): readonly [width: number, height: number] | undefined => {
  const [width = 0, height = 0] = (findings.find(finding => finding.rule === 'size')?.got ?? '').split('×').map(Number)
  return width > 0 && height > 0 ? [width, height] : undefined
}

/** The examination's own pixels and shape, by the size the person sent: before the photo was made small. */
const ownPixels = (
  pixel: PhotoPixels,
  [width, height]: readonly [number, number],
): Readonly<Record<'size' | 'ratio', Label | undefined>> => {
  const { minW = 0, minH = 0, maxW = Number.POSITIVE_INFINITY, maxH = Number.POSITIVE_INFINITY, ratio } = pixel
  // Rounded as findings are: a cut of 295×413 is 0.714….
  const shape = Number((width / height).toFixed(2))
  const [tooSmall, tooLarge] = [width < minW || height < minH, width > maxW || height > maxH]
  return {
    size: tooSmall
      ? label(
          `证件照像素过小（${width}×${height}），至少 ${minW}×${minH}`,
          `The photo has too few pixels (${width}×${height}); at least ${minW}×${minH}`,
        )
      : tooLarge
        ? label(
            `证件照像素过大（${width}×${height}），至多 ${maxW}×${maxH}`,
            `The photo has too many pixels (${width}×${height}); at most ${maxW}×${maxH}`,
          )
        : undefined,
    ratio:
      ratio && (shape < ratio[0] || shape > ratio[1])
        ? label(
            `证件照宽高比应为 ${ratio[0]} 至 ${ratio[1]}，请裁剪`,
            `The photo’s width by height must be ${ratio[0]} to ${ratio[1]}; please crop it`,
          )
        : undefined,
  }
}

/**
 * Judges what was found on a photo, one by one, in the order of the findings.
 * @param pixel - the examination's own rule; null: the usual one, which the findings were made by
 */
export const judgePhoto = (pixel: PhotoPixels | null | undefined, findings: readonly PhotoFinding[]): JudgedFinding[] => {
  const size = sizeIn(findings)
  const own = pixel && size ? ownPixels(pixel, size) : undefined
  // Of a picture that shows nobody a ground without fault would only mislead.
  const isEmpty = findings.some(({ rule, got }) => rule === 'brightness' && got === nothingThere)
  const judged = findings
    .filter(({ rule, ok }) => !(isEmpty && ok && rule === 'ground'))
    .map((finding): JudgedFinding => {
      const { rule, ok } = finding
      if (own && (rule === 'size' || rule === 'ratio')) {
        const message = own[rule]
        return { ...finding, ok: message === undefined, verdict: message === undefined ? 'ok' : 'refused', ...(message ? { message } : {}) }
      }
      if (ok) return { ...finding, verdict: 'ok' }
      if (rule === 'ground' || rule === 'brightness') return { ...finding, ...looked(finding) }
      return { ...finding, verdict: 'refused', message: (Object.hasOwn(messages, rule) && messages[rule]) || unknownRule }
    })
  // The shape is told by the size where no finding tells it.
  return own?.ratio && !findings.some(finding => finding.rule === 'ratio')
    ? [...judged, { rule: 'ratio', ok: false, got: '', verdict: 'refused', message: own.ratio }]
    : judged
}

/** Why a photo is not taken; undefined where it is, if only until a reviewer has looked. */
export const photoFault = (pixel: PhotoPixels | null | undefined, findings: readonly PhotoFinding[]): Label | undefined =>
  judgePhoto(pixel, findings).find(finding => finding.verdict === 'refused')?.message
