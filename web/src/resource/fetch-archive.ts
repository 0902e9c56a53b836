import { create } from 'zustand'
import { api } from '../kernel/api.ts'
import type { Through } from '../kernel/request.ts'
import { saveFile } from '../kernel/save-file.ts'
import type { ExportJob } from './export-jobs.ts'

/** A download that is on its way, or has broken off and can go on. */
export interface Fetching {
  readonly done: number
  readonly size: number
  readonly isBroken: boolean
}

/** Each part comes within the time of one call also over a slow line, and no more than it is lost when the line breaks. */
const partBytes = 8 * 1024 * 1024

/** By the export. What has come stays until the page is left, also when the window of my exports is closed. */
export const useFetching = create<Readonly<Record<string, Fetching>>>(() => ({}))
const kept = new Map<string, Blob[]>()

const show = (id: string, fetching: Fetching | null): void =>
  useFetching.setState(({ [id]: _, ...others }) => (fetching === null ? others : { ...others, [id]: fetching }), true)

/** A part of a file is what was asked for here. */
const takesPart: Through = async (request, key, send) => {
  const answer = await send(request, key)
  return answer.status === 206 ? { ...answer, status: 200 } : answer
}

/** Downloads a file that has been made; a long one in parts. Asked again after it broke off, it goes on where it stopped. */
export const fetchArchive = async (job: Pick<ExportJob, 'id' | 'fileName' | 'sizeBytes'>): Promise<void> => {
  const { id, fileName } = job
  const size = job.sizeBytes ?? 0
  const request = { method: 'GET', path: '/blade-exam/exportjob/download', query: { id }, timeoutMs: 600_000 } as const
  // The api client says what went wrong.
  if (size <= partBytes) return void (await api.download(request, fileName).catch(() => {}))
  const parts = kept.get(id) ?? []
  kept.set(id, parts)
  const done = () => parts.reduce((sum, part) => sum + part.size, 0)
  try {
    while (done() < size) {
      const from = done()
      show(id, { done: from, size, isBroken: false })
      const headers = { Range: `bytes=${from}-${Math.min(size, from + partBytes) - 1}` }
      const got = await api.blob({ ...request, headers, through: takesPart })
      if (got.kind !== 'file' || got.blob.size === 0) throw new Error(`no part of ${fileName} at ${from}`)
      // Something on the way that knows no parts answers with the whole.
      if (got.blob.size === size) parts.length = 0
      parts.push(got.blob)
    }
    saveFile(new Blob(parts), fileName)
    kept.delete(id)
    show(id, null)
  } catch {
    show(id, { done: done(), size, isBroken: true })
  }
}
