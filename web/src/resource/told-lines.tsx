import { useEffect, useState } from 'react'
import { kindOfSubject, proposalKinds, type Subject } from '#contract/kernel/proposals.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { useSaid } from '#web/kernel/said.ts'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { toldTexts } from './told-texts.ts'
import './told.css'

type Told = ApiOutput<'GET /blade-send/told/state'>
/** While the provider has not answered it is asked again. */
const everyMs = 3_000

type Person = Told['persons'][number]

const Line = ({ of }: { readonly of: Person }) => {
  const t = useT(toldTexts)
  const time = (at: string | null): string => (at === null ? '' : minuteOf(at))
  return (
    <li>
      <span>{t(`sms.${of.sms}`, { time: time(of.sentTime), delivered: time(of.deliveredTime), reason: of.failReason ?? '' })}</span>
      <span>{of.readTime === null ? t('unread') : t('read', { time: time(of.readTime) })}</span>
      {of.calledTime === null ? null : (
        <span>{t('called', { name: of.calledBy ?? '', time: time(of.calledTime), note: of.callNote ?? '' })}</span>
      )}
    </li>
  )
}

const Lines = ({ of }: { readonly of: Subject }) => {
  const t = useT(toldTexts)
  const [isOpen, setOpen] = useState(true)
  const told = useCall('GET /blade-send/told/state', { of }, { quiet: true, refetchEveryMs: isOpen ? everyMs : false })
  const isWaiting = told.data?.persons.some(({ sms }) => sms === 'waiting') ?? false
  useEffect(() => void setOpen(isWaiting), [isWaiting])
  const [isCalling, setCalling] = useState(false)
  const [note, setNote] = useSaid('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  // What was proposed before this was noted has nothing to show.
  if (told.data === undefined || told.data.persons.length === 0) return null
  const { persons, toldTime } = told.data
  const save = async () => {
    setWrong(note.trim().length < 2 ? t('call.missing') : undefined)
    if (note.trim().length < 2) return
    try {
      await api.call('POST /blade-send/told/call', { of, note: note.trim() })
      notify('success', t('call.done'))
      setCalling(false)
      await told.refetch()
    } catch {
      // The api client has said why.
    }
  }
  return (
    <section className="told" aria-label={t('title')}>
      <h3>{t('title')}</h3>
      <ul>
        {persons.map(person => (
          <Line key={person.noticeId} of={person} />
        ))}
      </ul>
      <p>
        <strong>{toldTime === null ? t('not') : t('since', { time: minuteOf(toldTime) })}</strong>
      </p>
      {!isCalling && persons.some(({ mayCall }) => mayCall) ? (
        <button type="button" className="button" onClick={() => setCalling(true)}>
          {t('call')}
        </button>
      ) : null}
      {isCalling ? (
        <>
          <p>{t('call.lead')}</p>
          <LabelledInput label={t('call.note')} error={wrong} rows={2} maxLength={200} value={note} onChange={setNote} />
          <button type="button" className="button" onClick={() => void save()}>
            {t('call.title')}
          </button>
        </>
      ) : null}
    </section>
  )
}

/**
 * By which ways somebody was told of what is proposed against them, as the provider answered; a call is noted where none of them counts. For those who decide on
 * such proposals; others see nothing.
 */
export const ToldLines = ({ of }: { readonly of: Subject }) => {
  const can = useCan()
  const kind = kindOfSubject(of)
  return kind !== undefined && can(proposalKinds[kind].right) ? <Lines of={of} /> : null
}
