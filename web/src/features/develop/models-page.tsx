import { useCallback, useMemo } from 'react'
import { dataModel } from '#contract/develop/model.resource.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { goTo } from '#web/shell/go.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { TableInput } from './inputs.tsx'
import { developTexts } from './texts.ts'

const inputs: InputSlots = { modelTable: props => <TableInput {...props} /> }

/** Models after tables (S7.27). */
export const Page = () => {
  const t = useT(developTexts)
  const cells = useMemo(() => ({ datasourceId: (row: Row) => (String(row.datasourceId) === '' ? t('own') : undefined) }), [t])
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [{ key: 'fields', label: t('model.fields'), onRun: () => goTo(`/tool/model/${row.id}`) }],
    [t],
  )
  return <ResourcePage resource={dataModel} cells={cells} inputs={inputs} rowActions={actions} />
}
