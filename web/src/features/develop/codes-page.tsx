import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { code } from '#contract/develop/code.resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { goTo } from '#web/shell/go.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { ChildColumnInput, ContextInput, MainColumnInput, MenuInput, RolesInput } from './inputs.tsx'
import { developTexts } from './texts.ts'
import { useGenerate } from './use-generate.ts'

const inputs: InputSlots = {
  serviceName: props => <ContextInput {...props} />,
  menuId: props => <MenuInput {...props} />,
  roles: props => <RolesInput {...props} />,
  subFkId: props => <ChildColumnInput {...props} />,
  treeId: props => <MainColumnInput {...props} />,
  treePid: props => <MainColumnInput {...props} />,
  treeName: props => <MainColumnInput {...props} />,
}

/** What is generated of models (S7.28): a zip, which the browser saves. */
export const Page = () => {
  const t = useT(developTexts)
  const can = useCan()
  const client = useQueryClient()
  const [mayGenerate, mayAdd] = [can('code_gen'), can('code_add')]
  const reload = useCallback(() => client.invalidateQueries({ queryKey: listKey(code.name) }), [client])
  const write = useGenerate()
  const generate = useCallback(
    async (ids: readonly string[]) => {
      if (ids.length === 0) notify('warning', t('code.none'))
      else await write(ids)
    },
    [write, t],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] => {
      const copy = async () => {
        try {
          await api.call('POST /blade-develop/code/copy', { id: row.id })
        } catch {
          return // The api client has said why.
        }
        notify('success', t('code.copied', { name: String(row.codeName) }))
        await reload()
      }
      return [
        { key: 'preview', label: t('code.preview'), onRun: () => goTo(`/tool/code/${row.id}`) },
        ...(mayGenerate ? [{ key: 'generate', label: t('code.generate'), onRun: () => void generate([row.id]) }] : []),
        ...(mayAdd ? [{ key: 'copy', label: t('code.copy'), onRun: () => void copy() }] : []),
      ]
    },
    [t, mayGenerate, mayAdd, generate, reload],
  )
  return (
    <ResourcePage
      resource={code}
      inputs={inputs}
      rowActions={actions}
      toolbar={({ selected }) =>
        mayGenerate ? (
          <button type="button" className="button" onClick={() => void generate([...selected])}>
            {t('code.generate')}
          </button>
        ) : null
      }
    />
  )
}
