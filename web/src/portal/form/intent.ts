import { type FileToken, intentText } from '#contract/signup/draft-merge.ts'
import { api } from '#web/kernel/api.ts'
import type { FormValues } from './model.ts'
import type { Upload } from './uploads.ts'

/** How long before the end a form is confirmed before it is sent: a line that is slow then would make it late. */
export const confirmBeforeMs = 15 * 60_000

const hexOf = async (bytes: BufferSource): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map(byte => byte.toString(16).padStart(2, '0')).join('')

export type Tokens = Readonly<Record<string, readonly FileToken[]>>

/** The files of the form: those that have arrived, and those whose bytes are on their way. One that replaces another takes its place. */
export const tokensOf = async (
  values: Pick<FormValues, 'files'>,
  uploads: readonly Pick<Upload, 'fileKey' | 'file'>[],
  isSingle: (fileKey: string) => boolean,
): Promise<Tokens> => {
  const replaced = new Set(uploads.filter(one => isSingle(one.fileKey)).map(one => one.fileKey))
  const tokens: Record<string, FileToken[]> = {}
  const add = (fileKey: string, token: FileToken) => {
    tokens[fileKey] = [...(tokens[fileKey] ?? []), token]
  }
  for (const { fileKey, fileId } of values.files) if (!replaced.has(fileKey)) add(fileKey, `id:${fileId}`)
  for (const { fileKey, file } of uploads) add(fileKey, `sha:${await hexOf(await file.arrayBuffer())}`)
  return tokens
}

/** Tells the server what is about to be sent. @returns until when the files may follow; undefined where this browser makes no digest */
export const confirmForm = async (form: Parameters<typeof intentText>[0]): Promise<string | undefined> => {
  if (!globalThis.crypto?.subtle) return undefined
  const digest = await hexOf(new TextEncoder().encode(intentText(form)))
  return (await api.call('POST /blade-signup/signup/intend', { examId: form.examId, digest }, { quiet: true })).until
}
