import { useId, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { epochOf } from '#web/kernel/wire-time.ts'
import { TextArea } from '../kit/field.tsx'
import { Callout, Facts } from '../kit/page-ui.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button } from '../kit/ui.tsx'

const hearingTexts = defineTexts(
  {
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
    hint: '写明事实和理由；需要当面说明或提交材料的，请拨打咨询电话',
    short: '请填写陈述、申辩的内容',
    send: '提交陈述申辩',
    sent: '已提交，决定后会通知您',
    remedies: '不服决定的，可向招考单位提出异议申请复核，也可依法申请行政复议或者提起行政诉讼。已缴费用按公告的退费规定办理。',
  },
  {
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
    hint: 'Give the facts and your reasons. To speak to someone or hand in documents, call the office',
    short: 'Please write your response',
    send: 'Send response',
    sent: 'Sent; you will be told of the decision',
    remedies:
      'You may object and ask the office for a review, apply for administrative reconsideration, or go to court. Fees follow the refund rules in the announcement.',
  },
)

export type Proposal = ApiOutput<'GET /blade-signup/selection/ownProposals'>[number]
const least = 2

const Answer = ({ of, onDone }: { readonly of: Proposal; readonly onDone: () => Promise<void> }) => {
  const t = useT(hearingTexts)
  const [text, setText] = useState(of.statement ?? '')
  const [wrong, setWrong] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    const statement = text.trim()
    if (statement.length < least) return setWrong(t('short'))
    setBusy(true)
    try {
      await api.call('POST /blade-signup/selection/answerProposal', { id: of.id, statement }, { quiet: 'fields' })
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
      <Button look="primary" block busy={busy} onClick={() => void send()}>
        {t('send')}
      </Button>
    </>
  )
}

/** What is proposed against the own sign-up, with the own answer, and what was decided. */
export const HearingCard = ({ of, onDone }: { readonly of: Proposal; readonly onDone: () => Promise<void> }) => {
  const t = useT(hearingTexts)
  const id = useId()
  const isOpen = of.state === 0
  const isLate = isOpen && of.statedTime === null && epochOf(of.answerUntil) <= serverNow()
  return (
    <article className="p-card p-stack" aria-labelledby={id}>
      <h2 id={id}>{of.examName}</h2>
      <Callout tone={isOpen ? 'warning' : of.state === 1 ? 'danger' : 'success'}>
        <strong>{t(`title.${of.state as 0 | 1 | 2}`)}</strong>
        {isOpen && of.statedTime === null && !isLate && (
          <div>
            {t('until', { time: endMinuteOf(of.answerUntil) })} · <Countdown until={of.answerUntil} />
          </div>
        )}
        {isLate && <div>{t('late')}</div>}
        {isOpen && of.statedTime !== null && <div>{t('answered', { time: minuteOf(of.statedTime) })}</div>}
      </Callout>
      <Facts
        facts={[
          { name: t('reason'), value: of.reason },
          { name: t('told'), value: minuteOf(of.time) },
          !isOpen && { name: t('own'), value: of.statement },
          { name: t('decision'), value: of.decision },
          { name: t('decided'), value: of.decidedTime && minuteOf(of.decidedTime) },
          { name: t('phone'), value: of.contactPhone },
        ]}
      />
      {isOpen && <Answer of={of} onDone={onDone} />}
      {of.state === 1 && <p className="p-small">{t('remedies')}</p>}
    </article>
  )
}
