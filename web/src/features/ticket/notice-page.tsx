import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useExamChoice } from '#web/resource/within.tsx'
import { Check, LabelledInput } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { downTexts } from './down-texts.ts'
import './ticket.css'

const RichEditor = lazy(async () => ({ default: (await import('#web/ui/rich-editor.tsx')).RichEditor }))

type Notice = ApiOutput<'GET /blade-exam/examination/getTicketNotice'>
const kinds = ['jkm', 'xcm', 'hsjcbg'] as const
const within = (text: string, min: number, max: number): boolean => /^\d{1,3}$/.test(text) && Number(text) >= min && Number(text) <= max

const Form = ({ notice, mayEdit }: { readonly notice: Notice; readonly mayEdit: boolean }) => {
  const t = useT(downTexts)
  const client = useQueryClient()
  const [form, setForm] = useState({ ...notice, readSeconds: String(notice.readSeconds), uploadHours: String(notice.uploadHours) })
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const set = (part: Partial<typeof form>) => setForm(now => ({ ...now, ...part }))
  const wrong = {
    title: form.title.trim() === '' || form.content.replace(/<[^>]*>/g, '').trim() === '' ? t('notice.empty') : undefined,
    seconds: within(form.readSeconds, 0, 300) ? undefined : t('notice.seconds.bad'),
    hours: within(form.uploadHours, 1, 720) ? undefined : t('notice.hours.bad'),
    kinds: form.isUpload && form.uploadKinds.length === 0 ? t('notice.none') : undefined,
  }
  const save = async () => {
    setTried(true)
    if (Object.values(wrong).some(text => text !== undefined)) return
    setBusy(true)
    try {
      const saved = await api.call('POST /blade-exam/examination/saveTicketNotice', {
        examId: notice.examId,
        title: form.title.trim(),
        content: form.content,
        ...(notice.id === '' ? {} : { version: form.version, downBegin: notice.downBegin, downEnd: notice.downEnd }),
        needRead: form.needRead ? 1 : 0,
        readSeconds: Number(form.readSeconds),
        isUpload: form.isUpload ? 1 : 0,
        uploadKinds: kinds.filter(kind => form.uploadKinds.includes(kind)),
        uploadHours: Number(form.uploadHours),
        needPromise: form.needPromise ? 1 : 0,
      })
      set({ version: saved.version })
      notify('success', t('notice.saved'))
      void client.invalidateQueries({ queryKey: ['GET /blade-exam/examination/getTicketNotice'] })
    } catch {
      // The api client has said why; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  const shown = <K extends keyof typeof wrong>(key: K) => (tried ? wrong[key] : undefined)
  return (
    <div className="card ticket-notice">
      <p className="dialog-lead">{t('notice.lead')}</p>
      <LabelledInput
        label={t('notice.name')}
        error={shown('title')}
        maxLength={100}
        value={form.title}
        disabled={!mayEdit}
        onChange={title => set({ title })}
      />
      <Suspense fallback={<div className="input rich-wait" />}>
        <RichEditor label={t('notice.content')} value={form.content} disabled={!mayEdit} onChange={content => set({ content })} />
      </Suspense>
      <Check label={t('notice.needRead')} on={form.needRead} onChange={needRead => set({ needRead })} />
      {form.needRead ? (
        <LabelledInput
          label={t('notice.seconds')}
          error={shown('seconds')}
          inputMode="numeric"
          maxLength={3}
          value={form.readSeconds}
          onChange={readSeconds => set({ readSeconds })}
        />
      ) : null}
      <Check label={t('notice.upload')} on={form.isUpload} onChange={isUpload => set({ isUpload })} />
      {form.isUpload ? (
        <>
          <fieldset className="ticket-kinds">
            <legend>{t('notice.kinds')}</legend>
            {kinds.map(kind => (
              <Check
                key={kind}
                label={t(`down.${kind}`)}
                on={form.uploadKinds.includes(kind)}
                onChange={on => set({ uploadKinds: on ? [...form.uploadKinds, kind] : form.uploadKinds.filter(one => one !== kind) })}
              />
            ))}
            {shown('kinds') === undefined ? null : (
              <span className="field-error" role="alert">
                {wrong.kinds}
              </span>
            )}
          </fieldset>
          <LabelledInput
            label={t('notice.hours')}
            error={shown('hours')}
            inputMode="numeric"
            maxLength={3}
            value={form.uploadHours}
            onChange={uploadHours => set({ uploadHours })}
          />
        </>
      ) : null}
      {mayEdit ? (
        <div>
          <button type="button" className="button button-primary" disabled={busy} onClick={() => void save()}>
            {t('notice.save')}
          </button>
        </div>
      ) : null}
    </div>
  )
}

/** The rules of an examination as tickets print them, and what is asked before a download. */
export const Page = () => {
  const t = useT(downTexts)
  const can = useCan()
  const { examId, bar, none } = useExamChoice()
  const notice = useCall('GET /blade-exam/examination/getTicketNotice', { examId: examId ?? '0' }, { enabled: examId !== null })
  if (none || examId === null) return <ExamMissing text={t('down.noExam')} />
  return (
    <div className="ticket-page">
      <div className="page-head">
        <h1>{t('notice.title')}</h1>
      </div>
      {bar}
      <Loaded query={notice} skeletonRows={6}>
        {of => <Form key={`${of.examId} ${of.id}`} notice={of} mayEdit={can('ticket_edit')} />}
      </Loaded>
    </div>
  )
}
