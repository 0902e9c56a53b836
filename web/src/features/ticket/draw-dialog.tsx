import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { newKey } from '#web/kernel/send.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import type { PaperRow } from './calls.ts'

const drawTexts = defineTexts(
  {
    title: '现场抽签 · {name}',
    lead: '面试当天按组抽签，每组只抽一次；抽签种子的摘要事先公布，全部抽完后公布种子，可供复核。',
    none: '还没有面试分组',
    group: '{group} · {time} · {people} 人',
    draw: '抽签',
    drawAll: '{group} 抽签',
    done: '已抽签',
    order: '{group} 的面试顺序',
    place: '抽签序号',
    number: '准考证号',
    name: '姓名',
    commit: '种子摘要：{digest}',
    reveal: '种子：{seed}',
  },
  {
    title: 'Draw the order · {name}',
    lead: 'Each group is drawn once, on the day of the interview. The digest of the seed was public before; the seed follows after the last group, so that anybody can check.',
    none: 'There are no interview groups yet',
    group: '{group} · {time} · {people|person|people}',
    draw: 'Draw',
    drawAll: 'Draw {group}',
    done: 'Drawn',
    order: 'Order of {group}',
    place: 'Place',
    number: 'Ticket number',
    name: 'Name',
    commit: 'Digest of the seed: {digest}',
    reveal: 'Seed: {seed}',
  },
)

type Drawn = ApiOutput<'POST /blade-ticket/interview/draw'> & { readonly groupNo: string }

/** The groups of an interview, drawn one after the other on the day. */
export const DrawDialog = ({
  examId,
  paper,
  onClose,
}: {
  readonly examId: string
  readonly paper: PaperRow
  readonly onClose: () => void
}) => {
  const t = useT(drawTexts)
  const of = { examId, itemId: paper.itemId }
  const groups = useCall('GET /blade-ticket/interview/groups', of, { staleTimeMs: 0 })
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const [busy, setBusy] = useState(false)
  const draw = async (groupNo: string) => {
    setBusy(true)
    try {
      setDrawn({ ...(await api.call('POST /blade-ticket/interview/draw', { ...of, groupNo }, { idempotencyKey: newKey() })), groupNo })
      await groups.refetch()
    } catch {
      // The api client has said why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('title', { name: paper.itemName })} onClose={onClose}>
      <p className="dialog-lead">{t('lead')}</p>
      <Loaded query={groups} skeletonRows={4}>
        {rows =>
          rows.length === 0 ? (
            <EmptyState text={t('none')} />
          ) : (
            <ul className="draw-groups">
              {rows.map(row => (
                <li key={row.groupNo}>
                  <span>{t('group', { group: row.groupNo, time: minuteOf(row.startTime), people: row.people })}</span>
                  {row.drawn > 0 ? (
                    <span>{t('done')}</span>
                  ) : (
                    <button
                      type="button"
                      className="button button-small"
                      disabled={busy}
                      aria-label={t('drawAll', { group: row.groupNo })}
                      onClick={() => void draw(row.groupNo)}
                    >
                      {t('draw')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {drawn === null ? null : (
        <div role="status">
          <h3>{t('order', { group: drawn.groupNo })}</h3>
          <table className="draw-order">
            <thead>
              <tr>
                <th scope="col">{t('place')}</th>
                <th scope="col">{t('number')}</th>
                <th scope="col">{t('name')}</th>
              </tr>
            </thead>
            <tbody>
              {drawn.people.map(person => (
                <tr key={person.drawNo}>
                  <td>{person.drawNo}</td>
                  <td>{person.ticketNo}</td>
                  <td>{person.name}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="draw-seed">{t('commit', { digest: drawn.seedCommit })}</p>
          {drawn.seedReveal === null ? null : <p className="draw-seed">{t('reveal', { seed: drawn.seedReveal })}</p>}
        </div>
      )}
    </Dialog>
  )
}
