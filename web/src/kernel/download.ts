import type { Downloaded, FileRequest, Settle } from './request.ts'
import { saveFile } from './save-file.ts'

/** File name of a Content-Disposition, RFC 6266: `filename*` wins. */
export const fileNameOf = (disposition: string | null): string | null => {
  const extended = disposition?.match(/filename\*\s*=\s*UTF-8''([^;]+)/i)?.[1]
  const plain = disposition?.match(/filename\s*=\s*"?([^";]+)"?/i)?.[1]
  const name = extended ?? plain
  if (name === undefined) return null
  try {
    return decodeURIComponent(name.trim())
  } catch {
    return name.trim()
  }
}

/** Asks for a file. A big export may answer with a job instead (decision 4.7): then `kind` is `'data'`. */
export const blob = async (settle: Settle, of: FileRequest): Promise<Downloaded> => {
  const { answer, json } = await settle({ ...of, answer: 'blob' })
  return json === null ? { kind: 'file', blob: answer.body, fileName: fileNameOf(answer.disposition) } : { kind: 'data', data: json.data }
}

/** Downloads and saves under the server's name, else under `fallbackName`. */
export const download = async (settle: Settle, of: FileRequest, fallbackName: string): Promise<Downloaded> => {
  const got = await blob(settle, of)
  if (got.kind === 'file') saveFile(got.blob, got.fileName ?? fallbackName)
  return got
}
