import { create } from 'zustand'
import { api } from '../kernel/api.ts'
import { serverNow } from '../kernel/clock.ts'
import type { Request } from '../kernel/request.ts'
import { newKey } from '../kernel/send.ts'

/** An export that is made in the background (docs/howto/exports.md). */
export interface ExportJob {
  readonly id: string
  readonly fileName: string
  /** 0 queued, 1 waits for an approval, 3 writing, 4 done, 5 failed, 6 cancelled, 7 expired, 8 not approved. */
  readonly state: number
  readonly total: number
  readonly done: number
  readonly sizeBytes: number | null
  readonly createTime: string
  readonly expireTime: string | null
  readonly problem: string | null
}

export const isOpenJob = (job: Pick<ExportJob, 'state'>): boolean => job.state < 4

/** Rows written, in whole percent; a file is not done before it can be fetched. */
export const jobPercent = ({ state, total, done }: Pick<ExportJob, 'state' | 'total' | 'done'>): number =>
  state === 4 ? 100 : total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total))

const isJob = (data: unknown): data is ExportJob =>
  typeof data === 'object' && data !== null && typeof (data as ExportJob).id === 'string' && typeof (data as ExportJob).state === 'number'

/** The window of my exports: open or not, and the one that was just ordered. */
export const useExportWindow = create<{ readonly open: boolean; readonly justOrdered: string | null }>(() => ({
  open: false,
  justOrdered: null,
}))
export const openExports = (justOrdered: string | null = null): void => useExportWindow.setState({ open: true, justOrdered })
export const closeExports = (): void => useExportWindow.setState({ open: false, justOrdered: null })

const mayNotName = /[\\/:*?"<>|]/g
/** A name that every file system takes: `系统参数_20261120.xlsx`. @param day - `yyyy-MM-dd…` */
export const exportName = (label: string, day: string): string =>
  `${label.replace(mayNotName, ' ').replace(/\s+/g, ' ').trim()}_${day.slice(0, 10).replaceAll('-', '')}.xlsx`

/**
 * Asks for a workbook: a small one is saved at once, a large one is ordered and shown with its progress. The api client says what
 * went wrong.
 */
export const startExport = async (request: Omit<Request, 'answer'>, label: string): Promise<void> => {
  // The server names the file; this is for a proxy that loses the name.
  const today = new Date(serverNow() + 8 * 3_600_000).toISOString()
  try {
    const got = await api.download(
      { ...request, ...(request.method === 'POST' ? { idempotencyKey: newKey() } : {}) },
      exportName(label, today),
    )
    if (got.kind === 'data' && isJob(got.data)) openExports(got.data.id)
  } catch {
    // Said already.
  }
}
