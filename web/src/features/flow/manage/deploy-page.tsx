import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { upload } from '#web/kernel/upload.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { FileDrop } from '#web/ui/uploader.tsx'
import { StepWarnings } from '../work/step-warnings.tsx'
import { ProblemList } from './problem-list.tsx'
import { manageTexts } from './texts.ts'
import { useDeploy } from './use-deploy.tsx'
import '../flow.css'

const limits = { types: ['bpmn', 'xml'], maxBytes: 2 * 1024 * 1024 }
type Checked = ApiOutput<'POST /blade-flow/manager/check-upload'>
type Deployed = ApiOutput<'POST /blade-flow/manager/deploy-upload'>

/** What the server said is wrong, from an answer or from a refusal that lists it. */
const problemsOf = (error: unknown): Checked['problems'] => {
  const data = isApiError(error) ? (error.data as { readonly problems?: Checked['problems'] } | undefined) : undefined
  return data?.problems ?? []
}

/** Deploys a process that was drawn elsewhere: chosen, checked, deployed. */
export const Page = () => {
  const t = useT(manageTexts)
  const client = useQueryClient()
  const { fields, check } = useDeploy()
  const [file, setFile] = useState<File | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [busy, setBusy] = useState(false)
  const look = async (chosen: File) => {
    setFile(chosen)
    setChecked(null)
    try {
      setChecked(await upload<Checked>('/blade-flow/manager/check-upload', chosen))
    } catch (error) {
      const problems = problemsOf(error)
      if (problems.length > 0) setChecked({ problems, warnings: [], key: '', name: '' })
      else setFile(null) // The api client has said why.
    }
  }
  const run = async () => {
    const where = check()
    if (busy || file === null || where === null) return
    setBusy(true)
    try {
      const { definitions } = await upload<Deployed>('/blade-flow/manager/deploy-upload', file, { fields: { ...where } })
      for (const { key, version } of definitions.slice(0, 1)) notify('success', t('deploy.done', { key, version }))
      await client.invalidateQueries({ queryKey: listKey('flow-definitions') })
      setFile(null)
      setChecked(null)
    } catch (error) {
      const problems = problemsOf(error)
      if (problems.length > 0) setChecked({ problems, warnings: [], key: '', name: '' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flow-page">
      <div className="page-head">
        <h1>{t('deploy.title')}</h1>
      </div>
      <div className="card flow-form">
        <p>{t('deploy.lead')}</p>
        {file === null ? <FileDrop limits={limits} onFile={chosen => void look(chosen)} /> : null}
        {file !== null && checked !== null && checked.problems.length > 0 ? (
          <div role="alert">
            <p className="field-error">{t('deploy.problems', { file: file.name, count: checked.problems.length })}</p>
            <ProblemList problems={checked.problems} />
          </div>
        ) : null}
        {checked !== null && checked.problems.length === 0 ? (
          <>
            <p role="status">{t('deploy.fine', { name: checked.name, key: checked.key })}</p>
            <StepWarnings warnings={checked.warnings} />
            {fields}
          </>
        ) : null}
        <div className="flow-bar">
          {checked !== null && checked.problems.length === 0 ? (
            <button type="button" className="button button-primary" aria-disabled={busy} onClick={() => void run()}>
              {t('deploy.run')}
            </button>
          ) : null}
          {file === null ? null : (
            <button
              type="button"
              className="button"
              onClick={() => {
                setFile(null)
                setChecked(null)
              }}
            >
              {t('deploy.again')}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}
