import { useCallback } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { type CrudContext, CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import type { SearchField } from '#web/resource/search-row.tsx'
import { detailPrefix, useMaster } from '#web/resource/use-master.ts'
import type { RowAction } from '#web/ui/data-table.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { MasterDetail } from '#web/ui/master-detail.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TickedButton } from '#web/ui/ticked-button.tsx'
import { rowId, rowName, usePeopleColumns, useUnitColumns } from './columns.tsx'
import { pageOf, people, type SamplePerson, units } from './sample.ts'
import { kitTexts } from './texts.ts'

/** What a person may do with a row here: more than three, so that the last ones stand in the menu. */
export const usePeopleActions = () => {
  const t = useT(kitTexts)
  return useCallback(
    (row: SamplePerson): readonly RowAction[] => {
      const act = (key: string, label: string, danger = false): RowAction => ({
        key,
        label,
        danger,
        onRun: () => notify('success', t('did', { what: `${label} ${row.name}` })),
      })
      const remove = async () => {
        if (await confirm({ title: t('action.delete'), text: t('delete.ask', { what: row.name }), ok: t('action.delete'), danger: true }))
          notify('success', t('done.deleted'))
      }
      return [
        act('view', t('action.view')),
        act('edit', t('action.edit')),
        act('pass', t('pass')),
        act('copy', t('copy')),
        { key: 'delete', label: t('action.delete'), danger: true, onRun: () => void remove() },
      ]
    },
    [t],
  )
}

const useSearchFields = (): readonly SearchField[] => {
  const t = useT(kitTexts)
  return [
    { kind: 'text', key: 'name', label: t('name') },
    {
      kind: 'select',
      key: 'state',
      label: t('state'),
      options: ([0, 1, 2, 3, 4, 5] as const).map(value => ({ value: String(value), label: t(`tone.${value}`) })),
    },
    { kind: 'text', key: 'post', label: t('post') },
    { kind: 'text', key: 'idCard', label: t('idCard') },
    { kind: 'text', key: 'remark', label: t('remark') },
  ]
}

const loadPeople = async (query: ListQuery) => pageOf(people, query)
const loadUnits = async (query: ListQuery) => pageOf(units, query)

/** A whole list page: conditions, tools, rows, paging. */
export const ListPart = () => {
  const t = useT(kitTexts)
  const columns = usePeopleColumns()
  const actions = usePeopleActions()
  const search = useSearchFields()
  const removeSelected = async ({ selected, clearSelection }: CrudContext) => {
    if (selected.size === 0) return notify('warning', t('none'))
    const what = namesAndCount(people.filter(person => selected.has(person.id)).map(rowName))
    if (!(await confirm({ title: t('action.delete'), text: t('delete.ask', { what }), ok: t('action.delete'), danger: true }))) return
    clearSelection()
    notify('success', t('done.deleted'))
  }
  return (
    <CrudPage<SamplePerson>
      heading={2}
      name="kit-people"
      title={t('people')}
      columns={columns}
      search={search}
      load={loadPeople}
      rowId={rowId}
      rowName={rowName}
      rowActions={actions}
      selectable
      toolbar={context => (
        <>
          <button type="button" className="button button-primary" onClick={() => notify('success', t('did', { what: t('action.add') }))}>
            {t('action.add')}
          </button>
          <TickedButton count={context.selected.size} onClick={() => void removeSelected(context)}>
            {t('action.batchDelete')}
          </TickedButton>
        </>
      )}
    />
  )
}

const Lists = ({ direction }: { readonly direction: 'horizontal' | 'vertical' }) => {
  const t = useT(kitTexts)
  const unitColumns = useUnitColumns()
  const peopleColumns = usePeopleColumns()
  const { id, current } = useMaster()
  const unit = units.find(each => each.id === id)
  const load = useCallback(
    async (query: ListQuery) =>
      pageOf(
        people.filter(person => person.unitId === id),
        query,
      ),
    [id],
  )
  return (
    <MasterDetail
      name="kit"
      direction={direction}
      master={
        <CrudPage
          heading={2}
          name="kit-units"
          title={t('units')}
          columns={unitColumns}
          search={[{ kind: 'text', key: 'name', label: t('unitName') }]}
          load={loadUnits}
          rowId={rowId}
          rowName={rowName}
          current={current}
        />
      }
      detail={
        unit === undefined ? (
          <div className="card">
            <EmptyState text={t('people.choose')} />
          </div>
        ) : (
          <CrudPage<SamplePerson>
            key={unit.id}
            prefix={detailPrefix}
            name={`kit-people-of-${unit.id}`}
            table="kit-people-of"
            title={t('people.of', { name: unit.name })}
            columns={peopleColumns}
            load={load}
            rowId={rowId}
            rowName={rowName}
          />
        )
      }
    />
  )
}
export const SidePart = () => <Lists direction="horizontal" />
export const StackPart = () => <Lists direction="vertical" />
