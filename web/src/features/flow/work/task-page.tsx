import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { moveOn } from '#web/shell/move-on.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { WorkPeople } from './people.tsx'
import type { PeopleWay } from './people-dialog.tsx'
import { Progress } from './progress.tsx'
import { refreshWork } from './refresh.ts'
import { RequestFacts } from './request-facts.tsx'
import { RequestForm, titleField } from './request-form.tsx'
import { workTexts } from './texts.ts'
import { fieldsOf, formValues, givenValues } from './variables.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'
import { InstanceTag, useOutcome } from './work-list.tsx'
import '../flow.css'
import { useSaid } from '#web/kernel/said.ts'

const PeopleDialog = lazy(async () => ({ default: (await import('./people-dialog.tsx')).PeopleDialog }))
const ReturnDialog = lazy(async () => ({ default: (await import('./return-dialog.tsx')).ReturnDialog }))

export type Task = ApiOutput<'GET /blade-flow/work/task-detail'>
const ways: readonly PeopleWay[] = ['transfer', 'delegate', 'addSign', 'copy']

/** Who signs a step together and how each has decided. */
const Signers = ({ task }: { readonly task: Task }) => {
  const t = useT(workTexts)
  const outcomeOf = useOutcome()
  if (task.signers.length < 2) return null
  return (
    <>
      {task.sign === 'all' || task.sign === 'any' ? <p>{t(`task.sign.${task.sign}`)}</p> : null}
      {task.sign === 'share' ? <p>{t('task.sign.share', { share: task.signShare })}</p> : null}
      <ul className="flow-signers" aria-label={t('task.signers')}>
        {task.signers.map(({ taskId, assigneeName, outcome }) => (
          <li key={taskId}>
            {assigneeName} {outcome === '' ? t('task.signer.waits') : outcomeOf(outcome)}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Agree or refuse, with a comment; and the rarer ways beside it. */
const Decide = ({
  task,
  onOpen,
  onDone,
}: {
  readonly task: Task
  readonly onOpen: (way: PeopleWay | 'return') => void
  readonly onDone: () => void
}) => {
  const t = useT(workTexts)
  const { path } = usePage()
  const client = useQueryClient()
  const [comment, setComment] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  useUnsaved(path, () => comment !== '')
  // Who answers for somebody else does not decide.
  const answers = task.owner !== '' && task.owner !== task.assignee
  const run = async (flag: 'ok' | '') => {
    const text = comment.trim()
    setWrong(flag === '' && text === '' ? t('task.comment.need') : undefined)
    if (busy || (flag === '' && text === '')) return
    setBusy(true)
    try {
      await api.call(
        'POST /blade-flow/work/complete-task',
        { taskId: task.taskId, processInstanceId: task.processInstanceId, flag, ...(text === '' ? {} : { comment: text }) },
        { quiet: 'fields' },
      )
      setComment('')
      notify('success', t(answers ? 'task.done.resolve' : flag === 'ok' ? 'task.done.ok' : 'task.done.reject'))
      await refreshWork(client)
      onDone()
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0])
    } finally {
      setBusy(false)
    }
  }
  const way = task.refusalTo === 'applicant' || task.refusalTo === 'end' || task.refusalTo === 'on' ? task.refusalTo : 'step'
  const refusalText = t(task.signers.length > 1 ? 'task.refusal.signed' : 'task.refusal', {
    way: t(`task.refusal.${way}`, { steps: listOf(task.refusalSteps) }),
  })
  const rarer = ([...ways, 'return'] as const).filter(way => task.actions.includes(way))
  return (
    <>
      {answers ? <p className="flow-note">{t('task.delegated', { name: task.ownerName })}</p> : null}
      <LabelledInput label={t('task.comment')} error={wrong} maxLength={500} rows={3} value={comment} onChange={setComment} />
      {answers || task.refusalTo === '' ? null : <p className="flow-hint">{refusalText}</p>}
      <div className="flow-bar">
        <button type="button" className="button button-primary" aria-disabled={busy} onClick={() => void run('ok')}>
          {t(answers ? 'task.resolve' : 'task.ok')}
        </button>
        {answers ? null : (
          <button type="button" className="button button-danger" aria-disabled={busy} onClick={() => void run('')}>
            {t('task.reject')}
          </button>
        )}
        <fieldset className="flow-bar flow-ways" aria-label={t('task.more')}>
          {rarer.map(way => (
            <button key={way} type="button" className="button" onClick={() => onOpen(way)}>
              {t(`act.${way}`)}
            </button>
          ))}
        </fieldset>
      </div>
    </>
  )
}

/** What was returned to the applicant is mended and sent again. */
const Resubmit = ({ task, beside, onDone }: { readonly task: Task; readonly beside: ReactNode; readonly onDone: () => void }) => {
  const t = useT(workTexts)
  const client = useQueryClient()
  return (
    <RequestForm
      fields={[titleField, ...fieldsOf(task.variables)]}
      initial={{ title: task.title, ...formValues(task.variables, task.values) }}
      slots={Object.fromEntries(
        task.variables.filter(each => each.type === 'user').map(each => [each.name, props => <WorkPeople {...props} single />]),
      )}
      beside={beside}
      submit={t('task.resubmit')}
      send={async ({ title, ...values }) => {
        await api.call(
          'POST /blade-flow/work/complete-task',
          { taskId: task.taskId, flag: 'ok', title: String(title).trim(), values: givenValues(task.variables, values) },
          { quiet: 'fields' },
        )
        notify('success', t('task.done.resubmit'))
        await refreshWork(client)
        onDone()
      }}
    />
  )
}

interface Props {
  readonly taskId: string
  /** What was asked for, where the process has pages of its own. */
  readonly facts?: ReactNode
  /** The form in which the applicant mends it, in the same case. */
  readonly resubmit?: (task: Task, beside: ReactNode, onDone: () => void) => ReactNode
}

/** One task with all that is needed to decide on it. */
export const TaskPage = ({ taskId, facts, resubmit }: Props) => {
  const t = useT(workTexts)
  const { path } = usePage()
  const client = useQueryClient()
  const detail = useCall('GET /blade-flow/work/task-detail', { taskId }, { quiet: true, staleTimeMs: 0 })
  const [open, setOpen] = useState<PeopleWay | 'return' | 'withdraw' | null>(null)
  const name = detail.data === undefined ? '' : detail.data.title || detail.data.processDefinitionName
  useTabTitle(name === '' ? null : { zh: name, en: name })
  const leave = () => moveOn(path, '/work/todo')
  const claim = async () => {
    await api.call('POST /blade-flow/work/claim-task', { taskId }).catch(() => null)
    await refreshWork(client)
    await detail.refetch()
  }
  const close = () => setOpen(null)
  const withdraw = ({ actions }: Task) =>
    actions.includes('withdraw') ? (
      <button type="button" className="button button-danger" onClick={() => setOpen('withdraw')}>
        {t('act.withdraw')}
      </button>
    ) : null
  return (
    <div className="flow-page">
      <Loaded query={detail}>
        {task => (
          <>
            <div className="page-head">
              <h1>{name}</h1>
              <InstanceTag state={task.state} passed={task.passed} />
              {task.isOverdue ? <StatusTag tone="refused" text={t('state.overdue')} /> : null}
            </div>
            {task.actions.includes('resubmit') ? (
              <section className="card">
                <div className="flow-note">
                  <p>{task.returnedByName === '' ? t('task.returned') : t('task.returnedBy', { name: task.returnedByName })}</p>
                  {task.returnReason === '' ? null : <p>{t('task.returnReason', { text: task.returnReason })}</p>}
                </div>
                {resubmit === undefined ? (
                  <Resubmit task={task} beside={withdraw(task)} onDone={leave} />
                ) : (
                  resubmit(task, withdraw(task), leave)
                )}
              </section>
            ) : (
              <section className="card">
                <h2>{t('task.values')}</h2>
                {facts ?? <RequestFacts of={task} />}
              </section>
            )}
            {task.actions.includes('resubmit') ? null : (
              <section className="card">
                <h2>
                  {task.taskName}
                  {task.dueTime === '' ? null : ` · ${t('col.due')} ${minuteOf(task.dueTime)}`}
                </h2>
                <Signers task={task} />
                {task.actions.includes('claim') ? (
                  <button type="button" className="button button-primary" onClick={() => void claim()}>
                    {t('task.claim')}
                  </button>
                ) : task.actions.includes('complete') ? (
                  <Decide task={task} onOpen={setOpen} onDone={leave} />
                ) : (
                  <p>{t('task.over')}</p>
                )}
              </section>
            )}
            <section className="card">
              <h2>{t('progress.title')}</h2>
              <Progress processInstanceId={task.processInstanceId} />
            </section>
            {open === 'withdraw' ? <WithdrawDialog processInstanceId={task.processInstanceId} name={name} onClose={close} /> : null}
            <Suspense>
              {open === 'return' ? <ReturnDialog taskId={taskId} targets={task.returnTargets} onClose={close} onDone={leave} /> : null}
              {open === null || open === 'return' || open === 'withdraw' ? null : (
                <PeopleDialog
                  way={open}
                  taskId={taskId}
                  processInstanceId={task.processInstanceId}
                  onClose={close}
                  onDone={() => (open === 'transfer' || open === 'delegate' ? leave() : void detail.refetch())}
                />
              )}
            </Suspense>
          </>
        )}
      </Loaded>
    </div>
  )
}
