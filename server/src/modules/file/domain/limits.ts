import type { Label } from '#contract/kernel/label.ts'
import { heicAdvice } from '#contract/kernel/picture-name.ts'

export type FilePurpose = 'avatar' | 'photo' | 'image' | 'document' | 'workbook' | 'attach'

/** What a tenant may lower: parameter and the platform's maximum in KB (decision 4.7); 500 KB are the 512,000 bytes of decision 3.8. */
const adjustable = {
  avatar: ['avatar.maxKb', 500],
  photo: ['upload.photoMaxKb', 500],
  image: ['upload.imageMaxKb', 2_048],
  pdf: ['upload.pdfMaxKb', 5_120],
} as const
export const limitParameters: readonly string[] = Object.values(adjustable).map(([key]) => key)

/** The limit of a tenant: its parameter when that is a number of 1 or more, never above the platform's. */
const ownLimit = (what: keyof typeof adjustable, parameters: Readonly<Record<string, string>>): number => {
  const [key, platform] = adjustable[what]
  const value = parameters[key] ?? ''
  return /^[1-9]\d{0,8}$/.test(value.trim()) ? Math.min(Number(value), platform) : platform
}

/**
 * KB of 1,024 bytes (decision 4.7); undefined where the kind is not accepted for the purpose.
 *
 * @param parameters - the tenant's, by key
 */
export const limitKbOf = (
  purpose: FilePurpose,
  kind: 'jpg' | 'png' | 'pdf' | 'xlsx' | 'docx',
  parameters: Readonly<Record<string, string>>,
): number | undefined => {
  const isImage = kind === 'jpg' || kind === 'png'
  if (purpose === 'avatar') return isImage ? ownLimit('avatar', parameters) : undefined
  if (purpose === 'photo') return isImage ? ownLimit('photo', parameters) : undefined
  if (purpose === 'image') return isImage ? ownLimit('image', parameters) : undefined
  if (purpose === 'attach') return 10_240
  if (purpose === 'workbook') return kind === 'xlsx' ? 20_480 : undefined
  return isImage ? ownLimit('image', parameters) : kind === 'pdf' ? ownLimit('pdf', parameters) : 10_240
}

/** A picture of a good camera, whole and small enough in bytes, whose owner can only make it smaller. */
export const tooManyPixels = ({ width, height }: { readonly width: number; readonly height: number }): Label => ({
  zh: `图片像素过多（${width}×${height}），请缩小到 2400 万像素以内`,
  en: `the picture has too many pixels (${width}×${height}); make it smaller than 24 megapixels`,
})

export const problemText: Readonly<
  Record<'empty' | 'unknown' | 'truncated' | 'polyglot' | 'active' | 'locked' | 'heic' | 'extension', Label>
> = {
  empty: { zh: '文件为空', en: 'the file is empty' },
  unknown: { zh: '只接受 jpg、png、pdf', en: 'only jpg, png and pdf are accepted' },
  truncated: { zh: '文件不完整或已损坏，请重新选择', en: 'the file is incomplete or damaged; choose it again' },
  polyglot: { zh: '文件内容异常', en: 'the content of the file is irregular' },
  active: { zh: '文件含有脚本或宏', en: 'the file holds scripts or macros' },
  locked: { zh: '文件有打开密码，请去掉密码后重新上传', en: 'the file opens with a password only; remove the password and send it again' },
  heic: heicAdvice,
  extension: { zh: '文件扩展名与内容不符', en: 'the extension does not match the content' },
}
