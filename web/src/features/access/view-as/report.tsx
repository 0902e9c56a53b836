import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { useMemo, useState } from 'react'
import type { AccessReport, Right } from '#contract/access/view-as.routes.ts'
import { api } from '#web/kernel/api.ts'
import { useLabel, useLang, useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { type Column, DataTable, type RowAction } from '#web/ui/data-table.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { viewAsTexts } from './texts.ts'

type MenuTree = AccessReport['menus']
type Noun = AccessReport['nouns'][number]

const Menus = ({ nodes }: { readonly nodes: MenuTree }) => {
  const lang = useLang()
  return (
    <ul className="va-menus">
      {nodes.map(node => (
        <li key={node.id}>
          {node.meta.i18n[lang]}
          {(node.children ?? []).length > 0 ? <Menus nodes={(node.children ?? []) as MenuTree} /> : null}
        </li>
      ))}
    </ul>
  )
}

const Buttons = ({ rights }: { readonly rights: readonly Right[] }) => {
  const t = useT(viewAsTexts)
  const columns = useMemo<readonly Column<Right>[]>(
    () => [
      { key: 'place', title: t('va.place'), width: 220, cell: row => row.place },
      { key: 'name', title: t('va.name'), width: 160, cell: row => row.name },
      { key: 'code', title: t('va.code'), width: 180, cell: row => row.code },
      { key: 'roles', title: t('va.through'), width: 200, cell: row => listOf(row.roles) },
    ],
    [t],
  )
  return (
    <DataTable<Right>
      name="view-as-buttons"
      caption={t('va.buttons')}
      rows={rights}
      rowId={row => row.id}
      rowName={row => row.code}
      columns={columns}
    />
  )
}

const Rows = ({ userId, noun }: { readonly userId: string; readonly noun: Noun }) => {
  const t = useT(viewAsTexts)
  const label = useLabel()
  const query = useQuery({
    queryKey: ['view-as-rows', userId, noun.resource],
    queryFn: ({ signal }) => api.call('GET /blade-system/role/view-as-rows', { userId, resource: noun.resource }, { signal }),
    staleTime: 0,
  })
  return (
    <Loaded query={query} skeletonRows={3}>
      {({ total, columns, records }) => (
        <DataTable<{ readonly id: string; readonly cells: readonly string[] }>
          name={`view-as-rows-${noun.resource}`}
          caption={t('va.rowsOf', { noun: label(noun.label), count: records.length, total })}
          rows={records.map((cells, at) => ({ id: String(at), cells }))}
          rowId={row => row.id}
          rowName={row => row.cells[0] ?? row.id}
          columns={columns.map((column, at) => ({
            key: column.key,
            title: label(column.label),
            width: 140,
            cell: row => row.cells[at] ?? '',
          }))}
          toolbar={<span>{t('va.rowsOf', { noun: label(noun.label), count: records.length, total })}</span>}
        />
      )}
    </Loaded>
  )
}

const Data = ({ report }: { readonly report: AccessReport }) => {
  const t = useT(viewAsTexts)
  const label = useLabel()
  const [open, setOpen] = useState<string | null>(null)
  const columns = useMemo<readonly Column<Noun>[]>(
    () => [
      { key: 'noun', title: t('va.noun'), width: 180, cell: row => label(row.label) },
      {
        key: 'rows',
        title: t('va.rows'),
        width: 260,
        cell: row => {
          const rule = report.rules.find(one => one.resource === row.resource)
          return rule === undefined ? t('va.all') : listOf(rule.names)
        },
      },
      { key: 'total', title: t('va.total'), width: 110, align: 'right', cell: row => row.total },
      { key: 'may', title: t('va.note'), width: 200, cell: row => (row.mayShow ? '' : t('va.notYours')) },
    ],
    [t, label, report.rules],
  )
  const actions = useMemo(
    () =>
      (row: Noun): readonly RowAction[] =>
        row.mayShow
          ? [
              {
                key: 'show',
                label: t(open === row.resource ? 'va.hide' : 'va.show'),
                onRun: () => setOpen(open === row.resource ? null : row.resource),
              },
            ]
          : [],
    [t, open],
  )
  const noun = report.nouns.find(each => each.resource === open)
  return (
    <>
      <DataTable<Noun>
        name="view-as-data"
        caption={t('va.data')}
        rows={report.nouns}
        rowId={row => row.resource}
        rowName={row => label(row.label)}
        columns={columns}
        rowActions={actions}
      />
      {noun === undefined ? null : <Rows userId={report.user.id} noun={noun} />}
    </>
  )
}

const Fields = ({ fields }: { readonly fields: AccessReport['fields'] }) => {
  const t = useT(viewAsTexts)
  const label = useLabel()
  if (fields.length === 0) return <p>{t('va.fields.none')}</p>
  return (
    <ul className="va-menus">
      {fields.map(noun => (
        <li key={noun.resource}>
          {label(noun.label)}
          <ul className="va-menus">
            {noun.fields.map(field => (
              <li key={field.name}>
                {label(field.label)} · {t(`va.level.${field.level}`)}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

const Calls = ({ closed }: { readonly closed: readonly string[] }) => {
  const t = useT(viewAsTexts)
  if (closed.length === 0) return <p>{t('va.closed.none')}</p>
  return (
    <>
      <p>{t('va.closed')}</p>
      <ul className="va-menus">
        {closed.map(call => (
          <li key={call}>
            <code>{call}</code>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What one person has, in four parts. Nothing here acts in their name. */
export const Report = ({ userId }: { readonly userId: string }) => {
  const t = useT(viewAsTexts)
  const query = useQuery({
    queryKey: ['view-as', userId],
    queryFn: ({ signal }) => api.call('GET /blade-system/role/view-as', { userId }, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded query={query} skeletonRows={8}>
      {report => (
        <section className="card va-report" aria-label={report.user.realName}>
          <div className="va-head">
            <h2>
              {report.user.realName} · {report.user.account}
            </h2>
            <ExportButtons
              onExport={async () =>
                void (await startExport({ method: 'GET', path: '/blade-system/role/exportViewAs', query: { userId } }, t('va.title')))
              }
            />
          </div>
          <Facts
            items={[
              {
                key: 'roles',
                label: t('va.roles'),
                value: report.roles.length === 0 ? t('va.noRoles') : listOf(report.roles.map(role => role.roleName)),
              },
              ...(report.codes.length > 0 ? [{ key: 'codes', label: t('va.codes'), value: listOf(report.codes) }] : []),
              ...(report.user.status === 1 ? [] : [{ key: 'state', label: '!', value: t('va.disabled') }]),
            ]}
          />
          <Tabs
            items={[
              { key: 'menus', label: t('va.menus'), children: <Menus nodes={report.menus} /> },
              { key: 'buttons', label: t('va.buttons'), children: <Buttons rights={report.rights.filter(right => right.kind === 2)} /> },
              { key: 'data', label: t('va.data'), children: <Data report={report} /> },
              { key: 'fields', label: t('va.fields'), children: <Fields fields={report.fields} /> },
              { key: 'calls', label: t('va.calls'), children: <Calls closed={report.closed} /> },
            ]}
          />
        </section>
      )}
    </Loaded>
  )
}
