import { lazy, Suspense, useState } from 'react'
import { endMinuteOf, minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { read, useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { ask } from '../kit/ask.ts'
import { Empty, SectionHead, Tag } from '../kit/blocks.tsx'
import { TextArea } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Link, navigate } from '../kit/router.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button, ButtonLink } from '../kit/ui.tsx'
import { laterTexts } from '../later-texts.ts'
import type { PayRow } from '../wire.ts'
import { writes } from '../writes.ts'
import { isPhone, takeBack } from './phone.ts'
import { PhoneSheet } from './phone-sheet.tsx'
import { QrSheet } from './qr-sheet.tsx'
import { payTone, usePayText } from './state-text.ts'
import { payTexts } from './texts.ts'
import type { Channel } from './use-order.ts'

const WaiverCards = lazy(async () => ({ default: (await import('./waiver-card.tsx')).WaiverCards }))

const RefundSheet = ({ due, onClose }: { readonly due: PayRow; readonly onClose: (sent: boolean) => void }) => {
  const t = useT(payTexts)
  const [reason, setReason] = useState('')
  const [error, setError] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (reason.trim() === '') {
      setError(t('pay.reasonNeed'))
      return
    }
    setBusy(true)
    try {
      await writes.askRefund(due.id, reason.trim())
      notify('success', t('pay.refundSent'))
      onClose(true)
    } catch {
      setBusy(false)
    }
  }
  return (
    <Sheet
      title={t('pay.askRefundTitle')}
      firm
      onClose={() => onClose(false)}
      foot={
        <Button look="primary" busy={busy} onClick={() => void send()}>
          {t('pay.askRefund')}
        </Button>
      }
    >
      <p>
        {due.examName} · {due.payName}
      </p>
      <p className="p-strong">{t('pay.refundSum', { amount: yuanOf(due.paidAmount - due.refundAmount) })}</p>
      <Callout tone="warning">{t('pay.refundMeans')}</Callout>
      <TextArea
        label={t('pay.reason')}
        required
        maxLength={200}
        value={reason}
        error={error}
        onChange={event => {
          setReason(event.target.value)
          setError(null)
        }}
      />
    </Sheet>
  )
}

const DueCard = ({ due, onPay, onRefund }: { readonly due: PayRow; readonly onPay: () => void; readonly onRefund: () => void }) => {
  const t = useT(payTexts)
  const p = useT(laterTexts)
  const payText = usePayText()
  const [busy, setBusy] = useState(false)
  const refund = due.refund
  const takeBack = async () => {
    const yes = await ask({
      title: t('pay.takeBackAsk', { exam: due.examName }),
      body: <p>{t('pay.takeBackBody')}</p>,
      okText: t('pay.takeBack'),
    })
    if (!yes) return
    setBusy(true)
    try {
      await writes.takeRefundBack(due.id)
      notify('success', t('pay.takenBack'))
    } catch {
      // The client has said why.
    }
    setBusy(false)
    await refresh()
  }
  const refundText = refund?.isTakenBack
    ? t('pay.refundTakenBack')
    : refund && refund.state >= 0 && refund.state <= 5
      ? t(`pay.refundState.${refund.state as 0 | 1 | 2 | 3 | 4 | 5}`)
      : ''
  return (
    <article className="p-card p-stack">
      <div className="p-row-between">
        <h3>{due.examName}</h3>
        <Tag tone={payTone(due.state)}>{payText(due.state)}</Tag>
      </div>
      <div className="p-row-between">
        <span className="p-soft">
          {due.payName}
          {due.itemName ? ` · ${due.itemName}` : ''}
        </span>
        <span className="p-num p-strong">{p('money.yuan', { amount: yuanOf(due.amount) })}</span>
      </div>
      <Facts
        facts={[
          due.state === 1 && {
            name: t('pay.deadline'),
            value: (
              <>
                {endMinuteOf(due.deadline)} · <Countdown until={due.deadline} />
              </>
            ),
          },
          { name: t('pay.paidTime'), value: due.paidTime && minuteOf(due.paidTime) },
          refund && {
            name: t('pay.refund'),
            value: [
              p('money.yuan', { amount: yuanOf(refund.amount) }),
              refund.reason,
              refundText,
              ...(refund.rejection === '' ? [] : [t('pay.refundWhy', { why: refund.rejection })]),
              ...(refund.time ? [minuteOf(refund.time)] : []),
            ].join(' · '),
          },
        ]}
      />
      {due.state === 1 &&
        (!due.canPay ? (
          <Callout tone="warning">{due.reason}</Callout>
        ) : (
          <Button look="primary" block onClick={onPay}>
            {t('pay.go')}
          </Button>
        ))}
      {due.paidAmount > 0 && (
        <div>
          <Link href={`/signup/examPay/${due.id}`}>{t('pay.details')}</Link>
        </div>
      )}
      {refund?.canTakeBack && (
        <div>
          <Button look="text" busy={busy} onClick={() => void takeBack()}>
            {t('pay.takeBack')}
          </Button>
        </div>
      )}
      {due.canRefund && (
        <div>
          <Button look="text" onClick={onRefund}>
            {t('pay.askRefund')}
          </Button>
        </div>
      )}
    </article>
  )
}

/** What is owed and what was paid (S2.13: the place a payment notice leads to). */
export const PayPage = () => {
  const t = useT(payTexts)
  const dues = useRead('dues', {}, { staleMs: 0 })
  const [paying, setPaying] = useState<PayRow | null>(null)
  const [refunding, setRefunding] = useState<PayRow | null>(null)
  const [back, setBack] = useState(takeBack)
  const returned = back === null ? undefined : dues.data?.find(due => due.id === back.payId && due.state === 1)
  const [onPhone, setOnPhone] = useState(isPhone)
  const [first, setFirst] = useState<Channel>('wechat')
  // A number or code of another platform that was noted down stays the one to pay by: asking for WeChat's would close it.
  const pay = async (due: PayRow) => {
    // What a sheet that was just closed has made is being read.
    const now = dues.isFetching ? (await read('dues', {}).catch(() => [])).find(one => one.id === due.id) : due
    if (now?.openChannel !== undefined && now.openChannel !== 'wechat') {
      setFirst(now.openChannel)
      setOnPhone(false)
    }
    setPaying(now ?? due)
  }
  const closed = (paid: boolean) => {
    const id = shown?.id
    setPaying(null)
    setBack(null)
    setOnPhone(isPhone)
    setFirst('wechat')
    void refresh()
    if (paid && id !== undefined) navigate(`/signup/examPay/${id}`)
  }
  const shown = paying ?? returned ?? null
  return (
    <>
      <PageTitle back="/signup/myExam" title={t('pay.title')} />
      <Load query={dues} skeleton={[200, 140]}>
        {rows => {
          const open = rows.filter(due => due.state === 1)
          const past = rows.filter(due => due.state !== 1)
          return (
            <div className="p-stack">
              {open.length === 0 ? (
                <Empty text={t('pay.none')} hint={t('pay.noneHint')}>
                  <ButtonLink to="/signup/myExam">{t('pay.toMine')}</ButtonLink>
                </Empty>
              ) : (
                <>
                  <Callout tone="active">{t('pay.truth')}</Callout>
                  <SectionHead title={t('pay.due')} />
                  {open.map(due => (
                    <DueCard key={due.id} due={due} onPay={() => void pay(due)} onRefund={() => setRefunding(due)} />
                  ))}
                </>
              )}
              <Suspense fallback={null}>
                <WaiverCards />
              </Suspense>
              {past.length > 0 && (
                <>
                  <SectionHead title={t('pay.past')} />
                  {past.map(due => (
                    <DueCard key={due.id} due={due} onPay={() => setPaying(due)} onRefund={() => setRefunding(due)} />
                  ))}
                </>
              )}
            </div>
          )
        }}
      </Load>
      {shown !== null &&
        (onPhone ? (
          <PhoneSheet
            due={shown}
            code={paying === null ? (back?.code ?? null) : null}
            onOtherDevice={channel => {
              setPaying(shown)
              setFirst(channel)
              setOnPhone(false)
            }}
            onClose={closed}
          />
        ) : (
          <QrSheet due={shown} first={first} onNews={() => void refresh()} onThisDevice={() => setOnPhone(true)} onClose={closed} />
        ))}
      {refunding !== null && (
        <RefundSheet
          due={refunding}
          onClose={sent => {
            setRefunding(null)
            if (sent) void refresh()
          }}
        />
      )}
    </>
  )
}
