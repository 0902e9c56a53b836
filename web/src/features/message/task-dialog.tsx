import { useEffect, useState } from 'react'
import { messageStates, messageTones } from '#contract/message/send.resources.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { Dialog } from '#web/ui/modal.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { LeftOutLine, progressText, TaskTag } from './shared.tsx'
import { sendTexts } from './texts.ts'
import './message.css'

const pollMs = 2_000
const shownRows = 50

/** A task as it goes on: how far it is, and its messages by their state. */
export const TaskDialog = ({
  sendId,
  title,
  onClose,
}: {
  readonly sendId: string
  readonly title: string
  readonly onClose: () => void
}) => {
  const t = useT(sendTexts)
  const label = useLabel()
  const [state, setState] = useState('')
  const task = useCall('GET /blade-send/send/detail', { sendId }, { refetchEveryMs: pollMs })
  const isRunning = task.data?.state === 2
  const messages = useCall(
    'GET /blade-send/send/getMessages',
    { sendId, size: shownRows, ...(state === '' ? {} : { state: Number(state) }) },
    { keepPrevious: true, refetchEveryMs: isRunning ? pollMs : false },
  )
  const { refetch } = messages
  const progress = task.data && [task.data.state, task.data.taken, task.data.delivered, task.data.failed, task.data.cancelled].join()
  // The last step of a task ends the looking: the messages are read once more, or they would wait for ever beside it.
  useEffect(() => {
    if (progress !== undefined) void refetch()
  }, [progress, refetch])
  return (
    <Dialog title={t('messages.title', { title })} size="two" onClose={onClose}>
      <Loaded query={task}>
        {of => {
          const done = of.taken + of.delivered
          const text = progressText(t, of)
          return (
            <>
              <p>
                <TaskTag task={of} />
              </p>
              <ProgressBar
                percent={of.total === 0 ? 0 : Math.round(((done + of.failed + of.cancelled) * 100) / of.total)}
                text={text}
                label={t('progress.label', { title })}
              />
              {of.rejectReason ? <p className="field-error">{t('messages.rejected', { reason: of.rejectReason })}</p> : null}
              <LeftOutLine leftOut={of.leftOut} />
            </>
          )
        }}
      </Loaded>
      <LabelledSelect
        label={t('col.state')}
        value={state}
        options={[
          { value: '', label: t('messages.all') },
          ...Object.entries(messageStates).map(([value, words]) => ({ value, label: label(words) })),
        ]}
        onChange={setState}
      />
      <Loaded query={messages}>
        {({ records, total }) =>
          records.length === 0 ? (
            <EmptyState text={t('messages.empty')} />
          ) : (
            <>
              <ul className="send-preview">
                {records.map(row => (
                  <li key={row.id} className="card send-message">
                    <p>
                      {row.name} {row.phoneMask}{' '}
                      <StatusTag
                        tone={messageTones[row.state as keyof typeof messageTones]}
                        text={label(messageStates[row.state as keyof typeof messageStates])}
                      />
                    </p>
                    <p>{row.content}</p>
                    {row.failReason === null ? null : <p className="field-error">{row.failReason}</p>}
                  </li>
                ))}
              </ul>
              {total > shownRows ? <p>{t('messages.more', { count: shownRows })}</p> : null}
            </>
          )
        }
      </Loaded>
    </Dialog>
  )
}
