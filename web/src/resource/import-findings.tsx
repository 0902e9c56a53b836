import { useT } from '../kernel/i18n/index.ts'
import { uiTexts } from '../ui/texts.ts'
import type { CellProblem, Fixes, ImportResult } from './import-result.ts'
import { fixKey } from './import-result.ts'
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

/** What a check found: what is wrong with the file, the wrong cells (which can be mended here), and notes. */
export const ImportFindings = ({
  result,
  fixes,
  onFix,
}: {
  readonly result: ImportResult
  readonly fixes: Fixes
  /** Undefined: this run takes no more corrections. */
  readonly onFix: ((error: CellProblem, value: string) => void) | undefined
}) => {
  const t = useT(importTexts)
  const u = useT(uiTexts)
  const ofFile = result.errors.filter(error => error.row === 0)
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
      {result.warnings.length > 0 ? (
        <div className="import-notes">
          {t('run.warnings')}
          <ul>
            {result.warnings.slice(0, shownWarnings).map(warning => (
              <li key={`${warning.row} ${warning.reason}`}>{warning.row > 0 ? t('run.warningRow', warning) : warning.reason}</li>
            ))}
          </ul>
          {result.warnings.length > shownWarnings ? t('run.moreWarnings', { count: result.warnings.length - shownWarnings }) : null}
        </div>
      ) : null}
    </>
  )
}
