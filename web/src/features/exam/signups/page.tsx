import { lazy, Suspense, useMemo, useState } from 'react'
import { dueMachine } from '#contract/pay/order.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { type CrudContext, CrudPage } from '#web/resource/crud-page.tsx'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { loadSignups, type SignupRow } from '#web/resource/signup-rows.ts'
import { useExamChoice } from '#web/resource/within.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DictText } from '../phase.tsx'
import { examTexts } from '../texts.ts'

const FilesDialog = lazy(async () => ({ default: (await import('./files-dialog.tsx')).FilesDialog }))

const rowId = (row: SignupRow) => row.id
const rowName = (row: SignupRow) => row.name ?? row.id

const useColumns = (): readonly Column<SignupRow>[] => {
  const t = useT(examTexts)
  return useMemo(
    () => [
      {
        key: 'signNo',
        title: t('signups.signNo'),
        cell: row => <NavLink to={`/examine/signup/${row.id}`}>{row.signNo ?? row.id}</NavLink>,
      },
      {
        key: 'name',
        field: 'signup.name',
        title: t('signups.name'),
        cell: row => (row.nameRare === 1 ? <span title={t('signups.rare')}>{row.name} *</span> : row.name),
      },
      { key: 'idCard', field: 'signup.idCard', title: t('signups.idCard'), cell: row => row.idCardMask },
      { key: 'phone', field: 'signup.phone', title: t('signups.phone'), cell: row => row.phoneMask, hidden: true },
      { key: 'unit', title: t('signups.unit'), cell: row => row.unitName },
      { key: 'post', title: t('signups.post'), cell: row => (row.code === null ? '' : `${row.code} ${row.codeName ?? ''}`) },
      {
        key: 'education',
        field: 'signup.education',
        title: t('signups.education'),
        hidden: true,
        cell: row => <DictText code="education" value={row.education} />,
      },
      { key: 'major', field: 'signup.major', title: t('signups.major'), hidden: true, cell: row => row.major },
      {
        key: 'examine',
        title: t('signups.examine'),
        cell: row => <StateTag of={signupMachine} wire={row.examine} />,
      },
      {
        key: 'pay',
        title: t('signups.pay'),
        cell: row => (row.payState === 0 ? '' : <StateTag of={dueMachine} wire={row.payState} />),
      },
      { key: 'submitTime', title: t('signups.time'), cell: row => minuteOf(row.submitTime) },
    ],
    [t],
  )
}

/** All sign-ups of an examination, to look one up and to export them (domain 5.10). */
export const Page = () => {
  const t = useT(examTexts)
  const can = useCan()
  const { examId, bar, none } = useExamChoice(true)
  const columns = useColumns()
  const [asked, setAsked] = useState<object | null>(null)
  const states = useStateOptions(signupMachine, 'draft')
  const filterOf = ({ query }: CrudContext) => {
    const { examine, unit, code, keyword, proposed } = query
    return {
      ...{ examId, unit, code, keyword },
      ...(examine === undefined ? {} : { examine: Number(examine) }),
      ...(proposed === undefined ? {} : { proposed: 1 as const }),
    }
  }
  const download = (context: CrudContext) =>
    startExport({ method: 'POST', path: '/blade-signup/signup/exportSignUp', body: filterOf(context) }, t('signups.title'))
  const forms = (body: object) => startExport({ method: 'POST', path: '/blade-signup/signup/exportSignUpEach', body }, t('signups.forms'))
  const files = (body: object) => startExport({ method: 'POST', path: '/blade-signup/signup/exportFilesForUser', body }, t('signups.files'))
  if (none || examId === null) return <ExamMissing text={t('papers.noExam')} />
  return (
    <CrudPage<SignupRow>
      name="signup"
      isLong
      counted={t('signups.counted')}
      title={t('signups.title')}
      columns={columns}
      search={[
        { kind: 'text', key: 'keyword', label: t('signups.keyword') },
        { kind: 'select', key: 'examine', label: t('signups.examine'), options: states },
        { kind: 'text', key: 'code', label: t('signups.code') },
        ...(can('recheck_view')
          ? [
              {
                kind: 'select' as const,
                key: 'proposed',
                label: t('signups.proposed'),
                options: [{ value: '1', label: t('signups.proposed.yes') }],
              },
            ]
          : []),
      ]}
      load={loadSignups}
      rowId={rowId}
      rowName={rowName}
      above={bar}
      fixed={{ examId }}
      empty={<EmptyState text={t('signups.empty')} />}
      toolbar={context => (
        <>
          {can('signup_export') ? <ExportButtons onExport={() => download(context)} /> : null}
          {can('signup_export') ? (
            <button type="button" className="button" onClick={() => void forms(filterOf(context))}>
              {t('signups.forms')}
            </button>
          ) : null}
          {can('signup_files') ? (
            <button type="button" className="button" onClick={() => setAsked(filterOf(context))}>
              {t('signups.files')}
            </button>
          ) : null}
          {asked === null ? null : (
            <Suspense>
              <FilesDialog onClose={() => setAsked(null)} onSend={reason => files({ ...asked, ...(reason === '' ? {} : { reason }) })} />
            </Suspense>
          )}
        </>
      )}
      rowActions={row => [
        ...(can('signup_export') ? [{ key: 'form', label: t('signups.form'), onRun: () => void forms({ examId, ids: row.id }) }] : []),
        ...(can('signup_files') ? [{ key: 'files', label: t('signups.ownFiles'), onRun: () => void files({ examId, ids: row.id }) }] : []),
      ]}
    />
  )
}
