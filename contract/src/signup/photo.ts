import type { Label } from '../kernel/label.ts'

/** What a candidate is told of an automatic finding about the certified photo, by the rule of `kernel/files/image.ts` (domain 3.4). */
export const photoMessages: Readonly<Record<string, Label>> = {
  format: { zh: '证件照应为 JPG 或 PNG 图片', en: 'The photo must be a JPG or PNG picture' },
  bytes: { zh: '证件照文件过大', en: 'The file of the photo is too large' },
  decode: { zh: '证件照无法读取，请换一张', en: 'The photo cannot be read; please take another one' },
  size: { zh: '证件照像素过小', en: 'The photo has too few pixels' },
  ratio: { zh: '证件照宽高比应约为 5:7，请裁剪', en: 'The photo must be about 5:7; please crop it' },
  ground: { zh: '证件照背景应为单一的白色或蓝色', en: 'The ground of the photo must be all white or all blue' },
  brightness: { zh: '证件照过暗或过亮', en: 'The photo is too dark or too bright' },
}
