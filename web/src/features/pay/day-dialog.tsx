import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { payDifference } from '#contract/pay/reconciliation.resource.ts'
import type { reconciliationDetail } from '#contract/pay/reconciliation.routes.ts'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { FieldText } from '#web/resource/field-text.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { booksTexts } from './books-texts.ts'
import './books.css'
import { useSaid } from '#web/kernel/said.ts'

const read = 'GET /blade-reconciliation/reconciliation/detail' satisfies `GET ${typeof reconciliationDetail.path}`
const ways = ['accepted', 'corrected', 'returned'] as const

/** The orders that were paid on a day. */
const ordersOf = (date: string): string =>
  `/pay/payOrder?${new URLSearchParams({ successTime_ge: `${date} 00:00:00`, successTime_le: `${date} 23:59:59` }).toString()}`

type Difference = Readonly<Record<string, string | number | null>> & { readonly id: string }
interface Standing {
  readonly openCount: number
}

const Settle = ({ of, onDone }: { readonly of: Difference; readonly onDone: () => void }) => {
  const t = useT(booksTexts)
  const [way, setWay] = useState<(typeof ways)[number]>('accepted')
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const opens = of.handle === 1
  const send = async () => {
    if (remark.trim() === '') {
      setWrong({ handleRemark: t('diff.remark.bad') })
      return
    }
    try {
      const { openCount } = await api.request<Standing>({
        method: 'POST',
        path: '/blade-reconciliation/reconciliation/submit',
        body: { id: of.id, handleRemark: remark.trim(), ...(opens ? { handle: 0 } : { handleWay: way }) },
        quiet: 'fields',
      })
      notify('success', openCount === 0 ? t('diff.closed') : t('diff.done', { open: String(openCount) }))
      onDone()
    } catch (error) {
      setWrong(fieldTexts(error))
    }
  }
  return (
    <form
      className="books-settle"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      {opens ? null : (
        <LabelledSelect
          label={t('diff.way')}
          value={way}
          options={ways.map(value => ({ value, label: t(`diff.way.${value}`) }))}
          onChange={setWay}
        />
      )}
      <LabelledInput label={t('diff.remark')} error={wrong.handleRemark} maxLength={200} value={remark} onChange={setRemark} />
      <button type="submit" className="button button-primary">
        {t(opens ? 'diff.reopen' : 'diff.save')}
      </button>
    </form>
  )
}

const text = (value: string | number | null | undefined): string => (value === null || value === undefined ? '' : String(value))

const Item = ({ of, may, onDone }: { readonly of: Difference; readonly may: boolean; readonly onDone: () => void }) => {
  const t = useT(booksTexts)
  const label = useLabel()
  const [opened, setOpened] = useState(false)
  const { fields } = payDifference
  const fen = (value: string | number | null | undefined) => (typeof value === 'number' ? yuanOf(value) : t('diff.none'))
  const byPerson = text(of.handleName) !== ''
  const mayReopen = of.handle === 1 && byPerson
  const way = fields.handleWay.words?.[text(of.handleWay)]
  const settled = t('diff.by', {
    who: text(of.handleName) || t('diff.byRule'),
    time: minuteOf(text(of.handleTime)),
    what: [way ? label(way) : '', text(of.handleRemark)].filter(part => part !== '').join(' · '),
  })
  return (
    <li className="books-difference">
      <div className="books-head">
        <FieldText field={fields.kind} value={of.kind} />
        <FieldText field={fields.handle} value={of.handle} />
        <span className="books-no">{text(of.refundNo) || text(of.orderNo)}</span>
      </div>
      <p className="books-why">{text(of.why)}</p>
      <p className="books-note">
        {t('diff.amounts', { ours: fen(of.ourAmount), theirs: fen(of.billAmount) })}
        {text(of.transactionId) === '' ? null : ` · ${text(of.transactionId)}`}
      </p>
      <p className="books-note">{of.handle === 1 ? settled : t('diff.until', { time: minuteOf(text(of.dueTime)) })}</p>
      {may && (of.handle === 0 || mayReopen) ? (
        <button type="button" className="link-button" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {t(of.handle === 0 ? 'diff.settle' : 'diff.reopen')}
        </button>
      ) : null}
      {opened ? (
        <Settle
          of={of}
          onDone={() => {
            setOpened(false)
            onDone()
          }}
        />
      ) : null}
    </li>
  )
}

/** What differs on a day, why, and what became of it; a person settles what no rule could. */
export const DayDialog = ({
  id,
  date,
  onClose,
  onDone,
}: {
  readonly id: string
  readonly date: string
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(booksTexts)
  const may = useCan()('reconciliation_handle')
  const client = useQueryClient()
  const query = useCall(read, { id })
  const changed = () => {
    void client.invalidateQueries({ queryKey: [read] })
    onDone()
  }
  const pair = (ours: unknown, theirs: unknown) => `${yuanOf(Number(ours))} / ${yuanOf(Number(theirs))}`
  return (
    <ActionDialog title={t('day.title', { date })} size="two" onClose={onClose}>
      <Loaded query={query} skeletonRows={4}>
        {answer => {
          const day = answer.day as Readonly<Record<string, string | number | null>>
          const differences = answer.differences as readonly unknown[] as readonly Difference[]
          return (
            <>
              <Facts
                boxed
                items={[
                  { key: 'trade', label: t('day.trade'), value: pair(day.ourAmount, day.billAmount) },
                  { key: 'back', label: t('day.back'), value: pair(day.ourRefund, day.billRefund) },
                  ...(day.fundIn === null
                    ? []
                    : [{ key: 'fund', label: t('day.fund'), value: `${pair(day.fundIn, day.fundOut)} / ${yuanOf(Number(day.fundFee))}` }]),
                  { key: 'run', label: t('day.run'), value: minuteOf(text(day.runTime)) },
                  ...(day.problem === null ? [] : [{ key: 'problem', label: t('day.problem'), value: text(day.problem) }]),
                ]}
              />
              {differences.length === 0 && day.problem === null ? <p>{t('day.flat')}</p> : null}
              <p>
                <NavLink to={ordersOf(date)}>{t('day.orders')}</NavLink>
              </p>
              <ul className="books-list">
                {differences.map(of => (
                  <Item key={of.id} of={of} may={may} onDone={changed} />
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
    </ActionDialog>
  )
}
