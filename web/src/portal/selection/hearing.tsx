import { useId, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { epochOf } from '#web/kernel/wire-time.ts'
import { Field, TextArea } from '../kit/field.tsx'
import { Callout, Facts } from '../kit/page-ui.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button } from '../kit/ui.tsx'

const hearingTexts = defineTexts(
  {
    'objection.0': '公示期间收到对您的异议',
    'objection.1': '异议经核查成立',
    'objection.2': '异议经核查不成立',
    'archive.0': '拟将您的违纪行为记入诚信档案',
    'archive.1': '已记入诚信档案',
    'archive.2': '不予记入诚信档案',
    'archive.3': '诚信档案记录已解除',
    noted: '{name}于 {time} 登记（{how}）：{text}',
    unconfirmed: '这是工作人员登记的，未经您确认，不缩短答复期限。如不属实，请在下面自行陈述。',
    'confirmed.code': '您已通过短信确认码确认',
    'confirmed.paper': '由您签字、{name}核对确认',
    'way.1': '书面',
    'way.2': '电话',
    'way.3': '当面',
    'way.4': '本人在线提交',
    files: '附件',
    attach: '附件（可选，最多 5 个，jpg、png 或 pdf，每个不超过 5 MB）',
    ends: '记录至 {day}',
    'title.0': '拟取消您的报名资格',
    'title.1': '您的报名资格已被取消',
    'title.2': '不予取消，您的报名照常有效',
    until: '{time} 前可以陈述、申辩',
    late: '陈述、申辩的期限已过，等待决定',
    answered: '已于 {time} 提交，决定前可以修改',
    reason: '理由',
    told: '告知时间',
    own: '您的陈述',
    decision: '决定理由',
    decided: '决定时间',
    phone: '咨询电话',
    field: '陈述、申辩',
    hint: '写明事实和理由，可附材料；需要当面说明的，请拨打咨询电话',
    short: '请填写陈述、申辩的内容',
    send: '提交陈述申辩',
    sent: '已提交，决定后会通知您',
    remedies: '不服决定的，可向招考单位提出异议申请复核，也可依法申请行政复议或者提起行政诉讼。已缴费用按公告的退费规定办理。',
  },
  {
    'objection.0': 'An objection was made to your hire',
    'objection.1': 'The objection was found right',
    'objection.2': 'The objection was found unfounded',
    'archive.0': 'A breach may be recorded in the archive of integrity',
    'archive.1': 'Recorded in the archive of integrity',
    'archive.2': 'Not recorded in the archive of integrity',
    'archive.3': 'The record of integrity was lifted',
    noted: 'Noted by {name}, {time} ({how}): {text}',
    unconfirmed: 'The staff noted this. Unless you confirm it, your time to respond stays. If it is not right, respond below.',
    'confirmed.code': 'You confirmed it by the code sent to your phone',
    'confirmed.paper': 'Signed by you, checked by {name}',
    'way.1': 'in writing',
    'way.2': 'by telephone',
    'way.3': 'in person',
    'way.4': 'in your account',
    files: 'Files',
    attach: 'Files (optional, 5 at most, jpg, png or pdf, 5 MB each)',
    ends: 'Holds until {day}',
    'title.0': 'You may be disqualified',
    'title.1': 'You have been disqualified',
    'title.2': 'Not disqualified: your sign-up stays valid',
    until: 'You may respond until {time}',
    late: 'The time to respond is over; a decision is pending',
    answered: 'Sent {time}; you may change it until a decision is made',
    reason: 'Reason',
    told: 'Notified',
    own: 'Your response',
    decision: 'Reasons for the decision',
    decided: 'Decided',
    phone: 'Telephone',
    field: 'Your response',
    hint: 'Give the facts and your reasons; you may add files. To speak to someone, call the office',
    short: 'Please write your response',
    send: 'Send response',
    sent: 'Sent; you will be told of the decision',
    remedies:
      'You may object and ask the office for a review, apply for administrative reconsideration, or go to court. Fees follow the refund rules in the announcement.',
  },
)

export type Proposal = ApiOutput<'GET /blade-signup/selection/ownProposals'>[number]
export type Objection = ApiOutput<'GET /blade-signup/objection/own'>[number]
export type ArchiveCase = ApiOutput<'GET /blade-signup/integrity/own'>[number]
const answerPaths = {
  disqualify: '/blade-signup/selection/answerProposal',
  archive: '/blade-signup/integrity/answer',
  objection: '/blade-signup/objection/answer',
} as const
type Kind = keyof typeof answerPaths
type Shown = Omit<Proposal, 'statedTime'> & { readonly endDate?: string | null }
const least = 2

const Answer = ({ kind, of, onDone }: { readonly kind: Kind; readonly of: Shown; readonly onDone: () => Promise<void> }) => {
  const t = useT(hearingTexts)
  const [text, setText] = useState(of.notedBy === null ? (of.statement ?? '') : '')
  const [files, setFiles] = useState<readonly File[]>([])
  const [wrong, setWrong] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    const statement = text.trim()
    if (statement.length < least) return setWrong(t('short'))
    setBusy(true)
    try {
      const body = async () => {
        const data = new FormData()
        data.set('id', of.id)
        data.set('statement', statement)
        for (const file of files) data.append('proof', file, file.name)
        return data
      }
      await api.request({ method: 'POST', path: answerPaths[kind], quiet: 'fields', timeoutMs: 120_000, body })
      notify('success', t('sent'))
      await onDone()
    } catch (error) {
      setWrong(fieldTexts(error)['statement'] ?? null)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <TextArea
        label={t('field')}
        help={t('hint')}
        required
        rows={5}
        maxLength={1000}
        error={wrong}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setWrong(null)
        }}
      />
      <Field label={t('attach')} help={files.map(file => file.name).join(' ')}>
        {ids => (
          <input
            {...ids}
            type="file"
            multiple
            accept="image/jpeg,image/png,application/pdf"
            onChange={event => setFiles([...(event.target.files ?? [])].slice(0, 5))}
          />
        )}
      </Field>
      <Button look="primary" block busy={busy} onClick={() => void send()}>
        {t('send')}
      </Button>
    </>
  )
}

/** What is proposed against the own sign-up, with the own answer, and what was decided. */
export const HearingCard = ({ kind, of, onDone }: { readonly kind: Kind; readonly of: Shown; readonly onDone: () => Promise<void> }) => {
  const t = useT(hearingTexts)
  const id = useId()
  const isOpen = of.state === 0
  const statedTime = of.confirmed === null ? null : of.statementTime
  const noted = of.notedBy !== null && of.statement !== null
  const isLate = isOpen && statedTime === null && epochOf(of.answerUntil) <= serverNow()
  return (
    <article className="p-card p-stack" aria-labelledby={id}>
      <h2 id={id}>{of.examName}</h2>
      <Callout tone={isOpen ? 'warning' : of.state === 1 ? 'danger' : 'success'}>
        <strong>
          {kind === 'archive'
            ? t(`archive.${of.state as 0 | 1 | 2 | 3}`)
            : t(`${kind === 'objection' ? 'objection' : 'title'}.${of.state as 0 | 1 | 2}`)}
        </strong>
        {isOpen && statedTime === null && !isLate && (
          <div>
            {t('until', { time: endMinuteOf(of.answerUntil) })} · <Countdown until={of.answerUntil} />
          </div>
        )}
        {isLate && <div>{t('late')}</div>}
        {isOpen && statedTime !== null && <div>{t('answered', { time: minuteOf(statedTime) })}</div>}
      </Callout>
      <Facts
        facts={[
          { name: t('reason'), value: of.reason },
          { name: t('told'), value: minuteOf(of.time) },
          noted && {
            name: t('own'),
            value: t('noted', {
              name: of.notedBy ?? '',
              time: of.statementTime ? minuteOf(of.statementTime) : '',
              how: t(`way.${(of.statementWay ?? 1) as 1 | 2 | 3 | 4}`),
              text: of.statement ?? '',
            }),
          },
          !isOpen && !noted && { name: t('own'), value: of.statement },
          of.statementFiles.length > 0 && {
            name: t('files'),
            value: (
              <>
                {of.statementFiles.map(file => (
                  <a key={file.link} className="p-btn is-text" href={file.link} target="_blank" rel="noreferrer">
                    {file.name}
                  </a>
                ))}
              </>
            ),
          },
          of.state === 1 && typeof of.endDate === 'string' && { name: t('archive.1'), value: t('ends', { day: of.endDate }) },
          { name: t('decision'), value: of.decision },
          { name: t('decided'), value: of.decidedTime && minuteOf(of.decidedTime) },
          { name: t('phone'), value: of.contactPhone },
        ]}
      />
      {noted && (
        <p className="p-small">
          {of.confirmed === 'code'
            ? t('confirmed.code')
            : of.confirmed === 'paper'
              ? t('confirmed.paper', { name: of.confirmedBy ?? '' })
              : t('unconfirmed')}
        </p>
      )}
      {isOpen && <Answer kind={kind} of={of} onDone={onDone} />}
      {of.state === 1 && <p className="p-small">{t('remedies')}</p>}
    </article>
  )
}
