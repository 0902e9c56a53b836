import { useT } from '../kernel/i18n/index.ts'
import { Check } from '../ui/labelled.tsx'
import { uiTexts } from '../ui/texts.ts'
import { type CellProblem, type Fixes, fixKey, type ImportResult, isSureOf, type SureRows, withSure } from './import-result.ts'
import { importTexts } from './import-texts.ts'

const shownErrors = 100
const shownWarnings = 5

const CellFix = ({
  error,
  fixes,
  onFix,
}: {
  readonly error: CellProblem
  readonly fixes: Fixes
  readonly onFix: (error: CellProblem, value: string) => void
}) => {
  const t = useT(importTexts)
  const label = t('run.fix', { row: error.row, header: error.header || error.column })
  // A masked value is shown beside the box and not in it: what is sent must be the whole one.
  const isMasked = error.value.includes('*')
  return (
    <input
      className="input import-fix"
      aria-label={label}
      placeholder={isMasked || error.value === '' ? t('run.fix.short') : undefined}
      maxLength={500}
      value={fixes.get(fixKey(error))?.value ?? (isMasked ? '' : error.value)}
      data-changed={fixes.has(fixKey(error))}
      onChange={event => onFix(error, event.target.value)}
    />
  )
}

/** Rows that can be but are doubtful: they come in once they are ticked, the others without them. */
const Asking = ({
  result,
  sure,
  onSure,
}: {
  readonly result: ImportResult
  readonly sure: SureRows
  readonly onSure: (sure: SureRows) => void
}) => {
  const t = useT(importTexts)
  const asking = result.warnings.filter(warning => warning.asks !== undefined)
  const rows = [...new Set(asking.map(({ row }) => row))]
  const asked = result.asked ?? rows.length
  if (rows.length === 0) return null
  return (
    <fieldset className="import-asks">
      <legend>{t('run.asks', { count: asked })}</legend>
      <Check label={t('run.asks.all', { count: asked })} on={sure === 'all'} onChange={on => onSure(on ? 'all' : new Set())} />
      <ul>
        {rows.map(row => (
          <li key={row}>
            <Check
              label={t('run.warningRow', {
                row,
                reason: asking
                  .filter(warning => warning.row === row)
                  .map(({ reason }) => reason)
                  .join(t('run.asks.between')),
              })}
              on={isSureOf(sure, row)}
              onChange={on => onSure(withSure(sure, rows, row, on))}
            />
          </li>
        ))}
      </ul>
      {asked > rows.length ? <p>{t('run.asks.more', { count: asked - rows.length })}</p> : null}
    </fieldset>
  )
}

/** What a check found: what is wrong with the file, the wrong cells (which can be mended here), and notes. */
export const ImportFindings = ({
  result,
  fixes,
  onFix,
  sure,
  onSure,
}: {
  readonly result: ImportResult
  readonly fixes: Fixes
  /** Undefined: this run takes no more corrections. */
  readonly onFix: ((error: CellProblem, value: string) => void) | undefined
  readonly sure: SureRows
  readonly onSure: (sure: SureRows) => void
}) => {
  const t = useT(importTexts)
  const u = useT(uiTexts)
  const ofFile = result.errors.filter(error => error.row === 0)
  const notes = result.warnings.filter(warning => warning.asks === undefined)
  const ofRows = result.errors.filter(error => error.row > 0)
  return (
    <>
      {ofFile.length > 0 ? (
        <ul className="import-notes" data-tone="refused">
          {ofFile.map(error => (
            <li key={error.reason}>{error.reason}</li>
          ))}
        </ul>
      ) : null}
      {ofRows.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="plain-table" aria-label={t('run.errors')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{u('import.badRow')}</th>
                <th scope="col">{u('import.badColumn')}</th>
                <th scope="col">{u('import.badValue')}</th>
                <th scope="col">{u('import.badReason')}</th>
              </tr>
            </thead>
            <tbody>
              {ofRows.slice(0, shownErrors).map(error => (
                <tr key={`${fixKey(error)} ${error.reason}`}>
                  <td>{error.row}</td>
                  <td>{error.header === '' ? error.column : `${error.column} ${error.header}`}</td>
                  <td className="wrap">
                    {onFix === undefined || error.column === '' ? (
                      error.value || '-'
                    ) : (
                      <>
                        {error.value.includes('*') ? <div>{error.value}</div> : null}
                        <CellFix error={error} fixes={fixes} onFix={onFix} />
                      </>
                    )}
                  </td>
                  <td>{error.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
      {ofRows.length > shownErrors ? <p>{u('import.more', { shown: shownErrors })}</p> : null}
      <Asking result={result} sure={sure} onSure={onSure} />
      {notes.length > 0 ? (
        <div className="import-notes">
          {t('run.warnings')}
          <ul>
            {notes.slice(0, shownWarnings).map(warning => (
              <li key={`${warning.row} ${warning.reason}`}>{warning.row > 0 ? t('run.warningRow', warning) : warning.reason}</li>
            ))}
          </ul>
          {notes.length > shownWarnings ? t('run.moreWarnings', { count: notes.length - shownWarnings }) : null}
        </div>
      ) : null}
    </>
  )
}
