import type { Label } from '#contract/kernel/label.ts'

export type FilePurpose = 'photo' | 'image' | 'document' | 'workbook'

/** KB of 1,024 bytes (decision 4.7); undefined where the kind is not accepted for the purpose. */
export const limitKbOf = (purpose: FilePurpose, kind: 'jpg' | 'png' | 'pdf' | 'xlsx' | 'docx'): number | undefined => {
  const isImage = kind === 'jpg' || kind === 'png'
  if (purpose === 'photo') return isImage ? 500 : undefined
  if (purpose === 'image') return isImage ? 2_048 : undefined
  if (purpose === 'workbook') return kind === 'xlsx' ? 20_480 : undefined
  return isImage ? 2_048 : kind === 'pdf' ? 5_120 : 10_240
}

export const problemText: Readonly<Record<'empty' | 'unknown' | 'truncated' | 'polyglot' | 'active' | 'extension', Label>> = {
  empty: { zh: '文件为空', en: 'the file is empty' },
  unknown: { zh: '只接受 jpg、png、pdf', en: 'only jpg, png and pdf are accepted' },
  truncated: { zh: '文件不完整或已损坏，请重新选择', en: 'the file is incomplete or damaged; choose it again' },
  polyglot: { zh: '文件内容异常', en: 'the content of the file is irregular' },
  active: { zh: '文件含有脚本或宏', en: 'the file holds scripts or macros' },
  extension: { zh: '文件扩展名与内容不符', en: 'the extension does not match the content' },
}
