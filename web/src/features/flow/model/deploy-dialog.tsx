import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { ProblemList } from '../manage/problem-list.tsx'
import { manageTexts } from '../manage/texts.ts'
import { useDeploy } from '../manage/use-deploy.tsx'
import { StepWarnings } from '../work/step-warnings.tsx'
import { modelTexts } from './texts.ts'

type Problems = ApiOutput<'POST /blade-flow/model/check'>['problems']

/** Makes a saved model a version that can be started. */
export const DeployDialog = ({
  modelId,
  name,
  onClose,
}: {
  readonly modelId: string
  readonly name: string
  readonly onClose: () => void
}) => {
  const t = useT(modelTexts)
  const words = useT(manageTexts)
  const client = useQueryClient()
  const { fields, check } = useDeploy()
  const detail = useCall('GET /blade-flow/model/detail', { id: modelId }, { quiet: true, staleTimeMs: 0 })
  const [problems, setProblems] = useState<Problems>([])
  const run = async (): Promise<boolean> => {
    const where = check()
    if (where === null) return false
    try {
      const own = detail.data?.modelKey ?? ''
      const { records } = await api.call('GET /blade-flow/model/list', { modelKey: own }, { quiet: true })
      const other = records.find(({ id, modelKey }) => modelKey === own && id !== modelId)
      if (
        other !== undefined &&
        !(await confirm({ title: t('deploy.shared', { key: own, name: other.name }), text: t('deploy.shared.ask') }))
      )
        return false
      const { definitions } = await api.call('POST /blade-flow/model/deploy', { modelId, ...where }, { quiet: true })
      for (const { key, version } of definitions.slice(0, 1)) notify('success', words('deploy.done', { key, version }))
      await client.invalidateQueries({ queryKey: listKey('flow-definitions') })
      return true
    } catch (error) {
      if (!isApiError(error)) throw error
      const found = (error.data as { readonly problems?: Problems } | undefined)?.problems ?? []
      setProblems(found)
      if (found.length === 0) notify('error', error.message)
      return false
    }
  }
  return (
    <ActionDialog title={t('deploy.title', { name })} actions={[{ label: t('models.deploy'), run }]} onClose={onClose}>
      <p>{t('deploy.lead')}</p>
      {problems.length === 0 ? null : (
        <div role="alert">
          <p className="field-error">{t('deploy.problems', { count: problems.length })}</p>
          <ProblemList problems={problems} />
        </div>
      )}
      <StepWarnings warnings={detail.data?.warnings ?? []} />
      {fields}
    </ActionDialog>
  )
}
