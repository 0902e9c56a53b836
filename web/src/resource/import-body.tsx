import type { ReactNode } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { Check } from '../ui/labelled.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { uiTexts } from '../ui/texts.ts'
import { FileDrop, type Sending, SendingFile } from '../ui/uploader.tsx'
import { ImportFindings } from './import-findings.tsx'
import { type Fixes, type ImportResult, isRunning, type SureRows, withFix } from './import-result.ts'
import { importTexts } from './import-texts.ts'
import './import.css'

const limits = { types: ['xlsx'], maxBytes: 20 * 1024 * 1024 } as const

export interface ImportBodyProps {
  /** Null until a file has been looked at. */
  readonly result: ImportResult | null
  readonly sending: Sending | null
  /** Whether the correct rows may go in without the others (domain 5.9, policy). */
  readonly partial: boolean
  /** What else is asked of this import. */
  readonly options?: ReactNode
  readonly onlyOk: boolean
  readonly onOnlyOk: (onlyOk: boolean) => void
  readonly fixes: Fixes
  readonly onFixes: (fixes: Fixes) => void
  readonly sure: SureRows
  readonly onSure: (sure: SureRows) => void
  readonly onFile: (file: File) => void
  readonly onSendAgain: () => void
  readonly onStopSending: () => void
  readonly onCancel: () => void
  readonly onTemplate: () => void
}

const Progressing = ({ result, onCancel }: { readonly result: ImportResult; readonly onCancel: () => void }) => {
  const t = useT(importTexts)
  const done = result.done ?? 0
  const percent = result.total === 0 ? 0 : Math.round((100 * done) / result.total)
  const text = t(result.state === 3 ? 'run.writing' : 'run.checking', { done, total: result.total })
  return (
    <ProgressBar percent={percent} text={text}>
      <button type="button" className="button button-small" onClick={onCancel}>
        {t('run.cancel')}
      </button>
    </ProgressBar>
  )
}

const useSummary = () => {
  const t = useT(importTexts)
  const u = useT(uiTexts)
  return (result: ImportResult): string => {
    const { state, problem, total, ok, failed } = result
    if (state === 4) return t('run.done', { inserted: result.inserted, updated: result.updated, skipped: result.skipped })
    if (state === 6) return t('run.cancelled')
    if (state === 5 && problem) return t('run.failed', { reason: problem })
    return u('import.rows', { total, ok, bad: failed })
  }
}

/** What the window of an import shows: the file, the way it goes, what was found, what became of it. */
export const ImportBody = (props: ImportBodyProps) => {
  const { result, sending, partial, fixes } = props
  const t = useT(importTexts)
  const u = useT(uiTexts)
  const summary = useSummary()
  const done = result?.state === 4
  const hasErrors = result?.state === 2 && result.failed > 0
  return (
    <div className="import">
      <Stepper
        steps={[u('import.step.file'), u('import.step.check'), u('import.step.done')]}
        now={done ? 3 : result === null ? 0 : result.state === 3 ? 2 : 1}
      />
      {props.options}
      {result === null ? (
        <>
          <button type="button" className="link-button" onClick={props.onTemplate}>
            {u('import.template')}
          </button>
          {sending === null ? (
            <FileDrop limits={limits} onFile={props.onFile} />
          ) : (
            <SendingFile sending={sending} onAgain={props.onSendAgain} onCancel={props.onStopSending} />
          )}
          {sending !== null && sending.share === 1 && !sending.failed ? <p role="status">{u('import.checking')}</p> : null}
        </>
      ) : isRunning(result.state) ? (
        <Progressing result={result} onCancel={props.onCancel} />
      ) : (
        <>
          <p role="status">{summary(result)}</p>
          {hasErrors && !partial ? <p className="field-error">{t('run.blocked')}</p> : null}
          {hasErrors && partial && result.ok > 0 ? <Check label={t('run.partial')} on={props.onlyOk} onChange={props.onOnlyOk} /> : null}
          {done && (result.asked ?? 0) > 0 ? <p className="field-error">{t('run.asks.left', { count: result.asked ?? 0 })}</p> : null}
          {done ? null : (
            <ImportFindings
              result={result}
              fixes={fixes}
              sure={props.sure}
              onSure={props.onSure}
              onFix={result.state === 2 || result.state === 5 ? (error, value) => props.onFixes(withFix(fixes, error, value)) : undefined}
            />
          )}
        </>
      )}
    </div>
  )
}
