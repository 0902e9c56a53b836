import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { channels } from '#contract/message/send.resources.ts'
import { sendStates } from '#contract/message/send.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { begunText, progressText, type Task, TaskTag, taskList } from './shared.tsx'
import { sendTexts } from './texts.ts'

const TaskDialog = lazy(async () => ({ default: (await import('./task-dialog.tsx')).TaskDialog }))
const ApproveDialog = lazy(async () => ({ default: (await import('./approve-dialog.tsx')).ApproveDialog }))

const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<ApiOutput<'GET /blade-send/send/list'>>({ method: 'GET', path: '/blade-send/send/list', query, signal })

/** Tasks of messages to many, with what each may be done with. */
export const Page = () => {
  const t = useT(sendTexts)
  const label = useLabel()
  const can = useCan()
  const client = useQueryClient()
  const [opened, setOpened] = useState<Task | null>(null)
  const [decided, setDecided] = useState<Task | null>(null)
  const reload = useCallback(() => client.invalidateQueries({ queryKey: listKey(taskList) }), [client])
  const close = () => {
    setOpened(null)
    void reload()
  }
  const columns = useMemo(
    (): readonly Column<Task>[] => [
      { key: 'title', title: t('col.title'), width: 220, cell: row => row.title },
      { key: 'state', title: t('col.state'), width: 200, cell: row => <TaskTag task={row} /> },
      {
        key: 'progress',
        title: t('col.progress'),
        width: 220,
        cell: row => progressText(t, row),
      },
      { key: 'channel', title: t('col.channel'), cell: row => label(channels[row.channel as 1 | 2 | 3]) },
      { key: 'exam', title: t('col.exam'), cell: row => row.examName },
      { key: 'createName', field: 'user.realName', title: t('col.who'), cell: row => row.createName },
      { key: 'createTime', title: t('col.when'), cell: row => minuteOf(row.createTime) },
    ],
    [t, label],
  )
  const actions = useCallback(
    (row: Task): readonly RowAction[] => {
      const of = { title: row.title }
      const run = async (
        ask: string | undefined,
        ok: string,
        call: () => Promise<Task | unknown>,
        done: string | ((answer: Task) => string),
      ) => {
        if (ask !== undefined && !(await confirm({ title: ok, text: ask, ok }))) return
        let answer: unknown
        try {
          answer = await call()
        } catch {
          return // The api client has said why.
        }
        notify('success', typeof done === 'string' ? done : done(answer as Task))
        await reload()
      }
      const sendId = row.id
      const resend = () => api.call('POST /blade-send/send/resend', { sendId })
      return [
        { key: 'detail', label: t('detail'), onRun: () => setOpened(row) },
        ...(row.can.send && row.total > 0
          ? [
              {
                key: 'send',
                label: t('send'),
                onRun: () =>
                  void run(
                    t('approve.lead', { title: row.title, total: row.total, parts: row.parts }),
                    t('send'),
                    () => api.call('POST /blade-send/send/sendMessage', { sendId }),
                    answer => begunText(t, answer),
                  ),
              },
            ]
          : []),
        ...(row.can.approve ? [{ key: 'approve', label: t('approve'), onRun: () => setDecided(row) }] : []),
        ...(row.can.resend
          ? [
              {
                key: 'resend',
                label: t('resend'),
                onRun: () => void run(t('resend.ask', { ...of, count: row.failed }), t('resend'), resend, t('resend.done')),
              },
            ]
          : []),
        ...(row.can.resume
          ? [{ key: 'resume', label: t('resume'), onRun: () => void run(undefined, t('resume'), resend, t('wizard.done')) }]
          : []),
        ...(row.can.cancel
          ? [
              {
                key: 'cancel',
                label: t('cancel'),
                danger: true,
                onRun: () =>
                  void run(
                    t('cancel.ask', { ...of, count: row.waiting }),
                    t('cancel'),
                    () => api.call('POST /blade-send/send/cancel', { sendId }),
                    t('cancel.done'),
                  ),
              },
            ]
          : []),
        ...(row.can.remove
          ? [
              {
                key: 'remove',
                label: t('remove'),
                danger: true,
                onRun: () =>
                  void run(
                    t('remove.ask', of),
                    t('remove'),
                    () => api.call('POST /blade-send/send/deleteAll', { sendId }),
                    t('remove.done', { count: row.waiting + row.failed + row.cancelled }),
                  ),
              },
            ]
          : []),
      ]
    },
    [t, reload],
  )
  return (
    <>
      <CrudPage<Task>
        name={taskList}
        title={t('title')}
        columns={columns}
        search={[
          {
            kind: 'select',
            key: 'state',
            label: t('search.state'),
            options: Object.entries(sendStates).map(([value, words]) => ({ value, label: label(words) })),
          },
        ]}
        load={load}
        rowId={row => row.id}
        rowName={row => row.title}
        rowActions={actions}
        empty={<EmptyState text={t('empty')} />}
        toolbar={() =>
          can('send_add') ? (
            <NavLink to="/send/new" className="button button-primary">
              {t('new')}
            </NavLink>
          ) : null
        }
      />
      <Suspense fallback={null}>
        {opened === null ? null : <TaskDialog sendId={opened.id} title={opened.title} onClose={close} />}
        {decided === null ? null : <ApproveDialog task={decided} onDone={() => void reload()} onClose={() => setDecided(null)} />}
      </Suspense>
    </>
  )
}
