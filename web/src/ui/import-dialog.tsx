import { useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { Dialog } from './modal.tsx'
import { EmptyState } from './states.tsx'
import { Stepper } from './stepper.tsx'
import { uiTexts } from './texts.ts'
import { FileDrop, type FileLimits, type Progress, SendingFile, useSendFile } from './uploader.tsx'

/** One thing wrong in a workbook; `row` is the number the spreadsheet program shows. */
export interface BadCell {
  readonly row: number
  readonly column: string
  readonly value?: string | null
  readonly reason: string
}
export interface ImportCheck {
  readonly total: number
  readonly okCount: number
  readonly badCount: number
  readonly bad: readonly BadCell[]
  /** Whether the good rows may go in while others are bad. */
  readonly canCommit: boolean
}

interface Props<C extends ImportCheck> {
  readonly title: string
  readonly limits: FileLimits
  /** Sends the file for checking; nothing is stored. */
  readonly check: (file: File, progress: Progress & { readonly idempotencyKey: string }) => Promise<C>
  /** Stores what has been checked. @returns the number of rows that went in */
  readonly commit: (checked: C, file: File) => Promise<number>
  readonly downloadTemplate?: () => Promise<unknown>
  /** The workbook with a reason beside each bad row. */
  readonly downloadErrors?: (checked: C, file: File) => Promise<unknown>
  readonly onClose: () => void
  readonly onDone: () => void
}

const shownBad = 100

const BadCells = ({ bad }: { readonly bad: readonly BadCell[] }) => {
  const t = useT(uiTexts)
  return (
    <>
      <div className="import-bad">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('import.badRow')}</th>
              <th scope="col">{t('import.badColumn')}</th>
              <th scope="col">{t('import.badValue')}</th>
              <th scope="col">{t('import.badReason')}</th>
            </tr>
          </thead>
          <tbody>
            {bad.slice(0, shownBad).map(cell => (
              <tr key={`${cell.row} ${cell.column} ${cell.reason}`}>
                <td>{cell.row}</td>
                <td>{cell.column}</td>
                <td>{cell.value || '-'}</td>
                <td>{cell.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {bad.length > shownBad ? <p>{t('import.more', { shown: shownBad })}</p> : null}
    </>
  )
}

/** Import of a workbook in three steps: the file, what is wrong with it, done. Generic over the calls. */
export const ImportDialog = <C extends ImportCheck>(props: Props<C>) => {
  const { title, limits, check, commit, downloadTemplate, downloadErrors, onClose, onDone } = props
  const t = useT(uiTexts)
  const [checked, setChecked] = useState<{ readonly result: C; readonly file: File } | null>(null)
  const [stored, setStored] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const { sending, start, again, cancel } = useSendFile<C>(check, (result, file) => setChecked({ result, file }))
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work().catch(() => {}) // The api client has said why.
    setBusy(false)
  }
  const store = () =>
    run(async () => {
      if (checked === null) return
      setStored(await commit(checked.result, checked.file))
      onDone()
    })
  const result = checked?.result
  return (
    <Dialog
      title={title}
      size="two"
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          {result !== undefined && stored === null ? (
            <>
              {downloadErrors !== undefined && result.badCount > 0 && checked !== null ? (
                <button
                  type="button"
                  className="button"
                  disabled={busy}
                  onClick={() => void run(() => downloadErrors(checked.result, checked.file))}
                >
                  {t('import.errorBook')}
                </button>
              ) : null}
              <button type="button" className="button" disabled={busy} onClick={() => setChecked(null)}>
                {t('import.again')}
              </button>
              <button
                type="button"
                className="button button-primary"
                disabled={busy || !result.canCommit || result.okCount === 0}
                onClick={() => void store()}
              >
                {t('import.commit', { ok: result.okCount })}
              </button>
            </>
          ) : (
            <button type="button" className={stored === null ? 'button' : 'button button-primary'} onClick={close}>
              {t('action.close')}
            </button>
          )}
        </div>
      )}
    >
      <div className="import">
        <Stepper
          steps={[t('import.step.file'), t('import.step.check'), t('import.step.done')]}
          now={stored !== null ? 3 : result === undefined ? 0 : 1}
        />
        {stored !== null ? (
          <EmptyState text={t('import.done', { count: stored })} />
        ) : result === undefined ? (
          <>
            {downloadTemplate === undefined ? null : (
              <button type="button" className="link-button" disabled={busy} onClick={() => void run(downloadTemplate)}>
                {t('import.template')}
              </button>
            )}
            {sending === null ? (
              <FileDrop limits={limits} onFile={start} />
            ) : (
              <SendingFile sending={sending} onAgain={again} onCancel={cancel} />
            )}
            {sending !== null && sending.share === 1 && !sending.failed ? <p role="status">{t('import.checking')}</p> : null}
          </>
        ) : (
          <>
            <p role="status">{t('import.rows', { total: result.total, ok: result.okCount, bad: result.badCount })}</p>
            {result.bad.length > 0 ? <BadCells bad={result.bad} /> : null}
          </>
        )}
      </div>
    </Dialog>
  )
}
