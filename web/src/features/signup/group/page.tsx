import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { type GroupNeed, groupNeeds } from '#contract/signup/group.routes.ts'
import { signupImports } from '#contract/signup/import-kinds.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import type { PageOf } from '#web/resource/page-of.ts'
import { useExamChoice } from '#web/resource/within.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { groupTexts } from './texts.ts'

const ImportRun = lazy(async () => ({ default: (await import('#web/resource/import-run.tsx')).ImportRun }))
const RowDialog = lazy(async () => ({ default: (await import('./row-dialog.tsx')).RowDialog }))
const PhotosDialog = lazy(async () => ({ default: (await import('./photos-dialog.tsx')).PhotosDialog }))

type Row = ApiOutput<'GET /blade-signup/signup/getGroupSignUps'>['records'][number]
const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<PageOf<Row>>({ method: 'GET', path: '/blade-signup/signup/getGroupSignUps', query, signal, quiet: true })
const rowId = (row: Row) => row.signupId
const rowName = (row: Row) => row.name
const isNeed = (need: string): need is GroupNeed => (groupNeeds as readonly string[]).includes(need)

const useColumns = (): readonly Column<Row>[] => {
  const t = useT(groupTexts)
  const _label = useLabel()
  return useMemo(
    (): readonly Column<Row>[] => [
      { key: 'signNo', title: t('signNo'), cell: row => row.signNo },
      { key: 'name', field: 'signup.name', title: t('name'), cell: row => row.name },
      { key: 'idCard', field: 'signup.idCard', title: t('idCard'), cell: row => row.idCardMask },
      { key: 'phone', field: 'signup.phone', title: t('phone'), cell: row => row.phoneMask, hidden: true },
      { key: 'post', title: t('post'), cell: row => (row.code === null ? '' : `${row.code} ${row.codeName ?? ''}`) },
      { key: 'unit', title: t('unit'), cell: row => row.unitName, hidden: true },
      { key: 'state', title: t('state'), cell: row => <StateTag of={signupMachine} wire={row.examine} /> },
      {
        key: 'needs',
        title: t('needs'),
        cell: row => (row.needs.length === 0 ? t('done') : row.needs.map(need => (isNeed(need) ? t(`need.${need}`) : need)).join(' · ')),
      },
      { key: 'group', title: t('group'), cell: row => row.groupName ?? (row.groupCode || t('office')) },
      { key: 'at', title: t('at'), cell: row => minuteOf(row.importedAt) },
    ],
    [t],
  )
}

/** Sign-ups that the office or a school hands in, and what each person still has to do (domain 5.9 T2). */
export const Page = () => {
  const t = useT(groupTexts)
  const can = useCan()
  const client = useQueryClient()
  const columns = useColumns()
  const { examId, bar, none } = useExamChoice(true)
  const [viewed, setViewed] = useState<Row | null>(null)
  const own = useCall('GET /blade-signup/signup/getOwnGroups', { examId: examId ?? '0' }, { quiet: true, enabled: examId !== null })
  const [doing, setDoing] = useState<'import' | 'photos' | null>(null)
  if (none || examId === null) return <ExamMissing text={t('noExam')} />
  const done = () => {
    void client.invalidateQueries({ queryKey: listKey('group-signup') })
    void own.refetch()
  }
  return (
    <>
      <CrudPage<Row>
        name="group-signup"
        title={t('title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'keyword', label: t('keyword') },
          { kind: 'select', key: 'open', label: t('open'), options: [{ value: '1', label: t('open.1') }] },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        fixed={{ examId }}
        above={
          <>
            {bar}
            {(own.data ?? []).map(({ groupCode, groupName, total, unfinished }) => (
              <p key={groupCode}>
                <strong>{t('own', { name: groupName ?? '-', code: groupCode, total, unfinished })}</strong>
              </p>
            ))}
            <p className="page-lead">{t('lead')}</p>
          </>
        }
        empty={<EmptyState text={t('empty')} />}
        rowActions={row => [{ key: 'view', label: t('view'), onRun: () => setViewed(row) }]}
        selectable={can('groupsignup_import')}
        toolbar={({ selected, clearSelection, reload }) =>
          can('groupsignup_import') ? (
            <>
              <button
                type="button"
                className="button"
                disabled={selected.size === 0}
                onClick={async () => {
                  const signupIds = [...selected].join(',')
                  const done = await api.call('POST /blade-signup/signup/remindGroup', { examId, signupIds }).catch(() => null)
                  if (done === null) return
                  notify('success', t('remind.done', done))
                  clearSelection()
                  reload()
                }}
              >
                {t('remind', { count: selected.size })}
              </button>
              <button type="button" className="button button-primary" onClick={() => setDoing('import')}>
                {t('import')}
              </button>
              <button type="button" className="button" onClick={() => setDoing('photos')}>
                {t('photos')}
              </button>
            </>
          ) : null
        }
      />
      {doing === 'import' ? (
        <Suspense>
          <ImportRun title={t('import')} of={signupImports.group} fields={{ examId }} onClose={() => setDoing(null)} onDone={done} />
        </Suspense>
      ) : null}
      {viewed === null ? null : (
        <Suspense>
          <RowDialog row={viewed} onClose={() => setViewed(null)} />
        </Suspense>
      )}
      {doing === 'photos' ? (
        <Suspense>
          <PhotosDialog examId={examId} onClose={() => setDoing(null)} onDone={done} />
        </Suspense>
      ) : null}
    </>
  )
}
