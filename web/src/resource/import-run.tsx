import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { ImportKind } from '#contract/kernel/import-kind.ts'
import { api } from '../kernel/api.ts'
import { isApiError } from '../kernel/api-error.ts'
import { useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { upload } from '../kernel/upload.ts'
import { Dialog } from '../ui/modal.tsx'
import { uiTexts } from '../ui/texts.ts'
import { type Progress, useSendFile } from '../ui/uploader.tsx'
import { ImportBody } from './import-body.tsx'
import { countSure, type Fixes, type ImportResult, isRunning, type SureRows } from './import-result.ts'
import { importTexts } from './import-texts.ts'

interface Props {
  readonly title: string
  /** What comes in: its call, its template, whether the right rows may come in alone. */
  readonly of: ImportKind
  readonly fields: Readonly<Record<string, string>>
  /** What else is asked of this import: shown until it is stored, its values are among the fields. */
  readonly options?: ReactNode
  readonly onClose: () => void
  readonly onDone: () => void
}

const pollMs = 700

const resultOf = (error: unknown): ImportResult | null => {
  const data = isApiError(error) && typeof error.data === 'object' && error.data !== null ? (error.data as Partial<ImportResult>) : null
  return data?.errors !== undefined && data.importId !== undefined ? (data as ImportResult) : null
}

/** An import in the making: a run of more than 2,000 rows goes on at the server and is asked about until it rests. */
const useRun = (path: string, fields: Props['fields']) => {
  const [result, setResult] = useState<ImportResult | null>(null)
  const [busy, setBusy] = useState(false)
  const running = result !== null && isRunning(result.state)
  const id = result?.importId
  useEffect(() => {
    if (!running || id === undefined) return
    let gone = false
    const ask = async () => {
      try {
        const next = await api.request<ImportResult>({ method: 'GET', path: '/blade-exam/importjob/detail', query: { id }, quiet: true })
        if (!gone) setResult(next)
      } catch (error) {
        if (!gone && isApiError(error) && !error.isOffline) notify('error', error.message)
      }
    }
    const timer = setInterval(() => void ask(), pollMs)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [running, id])
  const guarded = useCallback(async (work: () => Promise<ImportResult | null>): Promise<boolean> => {
    setBusy(true)
    try {
      const next = await work()
      if (next !== null) setResult(next)
      return true
    } catch (error) {
      const refused = resultOf(error)
      if (refused !== null) setResult(refused)
      return refused !== null
    } finally {
      setBusy(false)
    }
  }, [])
  const check = async (file: File, progress: Progress & { readonly idempotencyKey: string }): Promise<ImportResult> => {
    try {
      return await upload<ImportResult>(path, file, { ...progress, fields: { ...fields, mode: 'check' } })
    } catch (error) {
      const refused = resultOf(error)
      if (refused !== null) return refused
      throw error
    }
  }
  const post = (parts: Readonly<Record<string, string>>) =>
    guarded(async () => {
      const body = new FormData()
      for (const [name, value] of Object.entries({ ...fields, ...parts, importId: id ?? '' })) body.set(name, value)
      return api.request<ImportResult>({ method: 'POST', path, body })
    })
  const commit = (policy: 'all' | 'partial', sure: SureRows) => {
    const rows = sure === 'all' ? sure : [...sure].join(',')
    return post({ mode: 'commit', policy, ...(rows === '' ? {} : { sure: rows }) })
  }
  const checkAgain = (fixes: Fixes) => post({ mode: 'check', fixes: JSON.stringify([...fixes.values()]) })
  const cancel = () =>
    guarded(async () => {
      await api.request({ method: 'POST', path: '/blade-exam/importjob/cancel', body: { id } })
      return result === null ? null : { ...result, state: 6 }
    })
  return { result, setResult, busy, running, check, checkAgain, commit, cancel }
}

/**
 * Import of a workbook by the protocol of domain 5.9: upload and check, read what is wrong, store. Long ones run at the server
 * with progress and can be cancelled; the window may be closed meanwhile.
 */
export const ImportRun = ({ title, of: { path, kind, partial }, fields, options, onClose, onDone }: Props) => {
  const t = useT(importTexts)
  const u = useT(uiTexts)
  const { result, setResult, busy, running, check, checkAgain, commit, cancel } = useRun(path, fields)
  const { sending, start, again, cancel: stop } = useSendFile<ImportResult>(check, setResult)
  const [onlyOk, setOnlyOk] = useState(false)
  const [fixes, setFixes] = useState<Fixes>(new Map())
  const [sure, setSure] = useState<SureRows>(new Set())
  const told = useRef(false)
  const done = result?.state === 4
  useEffect(() => {
    if (!done || told.current) return
    told.current = true
    onDone()
  }, [done, onDone])
  const template = () =>
    api
      .download(
        { method: 'GET', path: '/blade-exam/examination/importTemplate', query: { kind, examId: fields.examId, itemId: fields.itemId } },
        `${title}.xlsx`,
      )
      .catch(() => null)
  const errorBook = () =>
    result?.errorFileUrl
      ? api.download({ method: 'GET', path: result.errorFileUrl.replace(/^\/api/, '') }, `${title}.xlsx`).catch(() => null)
      : undefined
  const rests = result !== null && !running
  const waits = result?.state === 2
  const taken = result === null ? 0 : result.ok - (result.asked ?? 0) + countSure(sure, result.asked ?? 0)
  const mayStore = waits && fixes.size === 0 && taken > 0 && (result.failed === 0 || (partial && onlyOk))
  return (
    <Dialog
      title={title}
      size="two"
      onClose={onClose}
      hasChanges={() => fixes.size > 0}
      footer={close => (
        <div className="form-footer">
          {rests && result.errorFileUrl ? (
            <button type="button" className="button" onClick={() => void errorBook()}>
              {u('import.errorBook')}
            </button>
          ) : null}
          {rests && !done ? (
            <button
              type="button"
              className="button"
              onClick={() => {
                setFixes(new Map())
                setSure(new Set())
                setResult(null)
              }}
            >
              {u('import.again')}
            </button>
          ) : null}
          {fixes.size > 0 ? (
            <button
              type="button"
              className="button button-primary"
              disabled={busy}
              onClick={() =>
                void checkAgain(fixes).then(judged => {
                  if (!judged) return
                  setFixes(new Map())
                  setSure(new Set())
                })
              }
            >
              {t('run.checkAgain', { count: fixes.size })}
            </button>
          ) : null}
          {waits ? (
            <button
              type="button"
              className={fixes.size > 0 ? 'button' : 'button button-primary'}
              disabled={busy || !mayStore}
              onClick={() => void commit(onlyOk ? 'partial' : 'all', sure)}
            >
              {u('import.commit', { ok: taken })}
            </button>
          ) : (
            <button type="button" className={done ? 'button button-primary' : 'button'} onClick={close}>
              {t('action.close')}
            </button>
          )}
        </div>
      )}
    >
      <ImportBody
        result={result}
        sending={sending}
        partial={partial}
        options={result === null || waits ? options : undefined}
        onlyOk={onlyOk}
        onOnlyOk={setOnlyOk}
        fixes={fixes}
        sure={sure}
        onSure={setSure}
        onFixes={setFixes}
        onFile={start}
        onSendAgain={again}
        onStopSending={stop}
        onCancel={() => void cancel()}
        onTemplate={() => void template()}
      />
    </Dialog>
  )
}
