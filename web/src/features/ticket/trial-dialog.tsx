import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check, LabelledSelect } from '#web/ui/labelled.tsx'
import { StatCard, StatCards } from '#web/ui/stat-card.tsx'
import { Loaded } from '#web/ui/states.tsx'
import type { Plan } from './calls.ts'
import { LeftOut } from './left-out.tsx'
import { ticketTexts } from './texts.ts'
import '#web/ui/chart.css'
import './ticket.css'

/** Ways of seating (domain 7.4). */
const modes = ['random', 'code', 'unit', 'post'] as const

/** The papers of a sitting, at most three by name: ten of them would fill the table. */
const useSittingName = () => {
  const t = useT(ticketTexts)
  return (names: readonly string[]): string =>
    names.length > 3 ? t('trial.sitting.more', { names: names.slice(0, 2).join(' / '), count: names.length }) : names.join(' / ')
}

const PlanView = ({ plan }: { readonly plan: Plan }) => {
  const t = useT(ticketTexts)
  const nameOf = useSittingName()
  return (
    <>
      <StatCards>
        <StatCard name={t('trial.eligible')} value={plan.eligible} />
        {plan.groups.length > 1 ? (
          <StatCard
            name={t('trial.needed')}
            value={plan.groups.reduce((sum, group) => sum + group.eligible, 0)}
            note={t('trial.needed.note')}
          />
        ) : null}
        <StatCard name={t('trial.seats')} value={plan.seats} />
        {plan.shortage > 0 ? (
          <StatCard name={t('trial.shortage')} value={plan.shortage} />
        ) : (
          <StatCard name={t('trial.free')} value={plan.free} />
        )}
        <StatCard name={t('trial.adjacency')} value={plan.adjacency} note={t('trial.adjacency.note')} />
        {plan.withoutAccess > 0 ? <StatCard name={t('trial.noAccess')} value={plan.withoutAccess} /> : null}
      </StatCards>
      {plan.shortage > 0 ? (
        <p className="ticket-alert" role="alert">
          {t('trial.short', { count: plan.shortage })}
        </p>
      ) : null}
      <LeftOut people={plan.leftOut} />
      {plan.groups.length > 1 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="plain-table" aria-label={t('trial.sittings')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('trial.sitting')}</th>
                {(['eligible', 'seats', 'free', 'shortage'] as const).map(key => (
                  <th key={key} scope="col" data-align="right">
                    {t(`trial.of.${key}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {plan.groups.map(group => (
                <tr key={group.itemIds.join()}>
                  <td title={group.itemNames.join(' / ')}>{nameOf(group.itemNames)}</td>
                  {(['eligible', 'seats', 'free', 'shortage'] as const).map(key => (
                    <td key={key} data-align="right">
                      {group[key]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
      {plan.groups.map(group =>
        group.seedCommit === null ? null : (
          <p key={group.itemIds.join()} className="ticket-seed">
            <span>
              {t('trial.seed')} · {nameOf(group.itemNames)}
            </span>
            <code>{group.seedCommit}</code>
          </p>
        ),
      )}
      {plan.conflicts.length === 0 ? null : (
        <details className="ticket-conflicts">
          <summary>{t('trial.conflicts', { count: plan.adjacency })}</summary>
          <ul>
            {plan.conflicts.map(({ itemId, siteCode, roomNo, seats, why }) => (
              <li key={`${itemId} ${siteCode} ${roomNo} ${seats.join()}`}>
                {t('trial.conflict', { room: `${siteCode}-${roomNo}`, first: seats[0] ?? '', second: seats[1] ?? '' })}
                {' · '}
                {t(`trial.why.${why === 'unit' || why === 'related' ? why : 'post'}`)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {plan.rooms.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="plain-table" aria-label={t('trial.rooms')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('trial.site')}</th>
                <th scope="col">{t('trial.room')}</th>
                <th scope="col" data-align="right">
                  {t('trial.seated')}
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {plan.rooms.map((room, at) => (
                <Fragment key={`${room.itemId} ${room.siteCode} ${room.roomNo}`}>
                  {plan.groups.length > 1 && plan.rooms[at - 1]?.itemId !== room.itemId ? (
                    <tr>
                      <th scope="colgroup" colSpan={4}>
                        {nameOf(plan.groups.find(group => group.itemIds.includes(room.itemId))?.itemNames ?? [])}
                      </th>
                    </tr>
                  ) : null}
                  <tr>
                    <td>{room.siteName || room.siteCode}</td>
                    <td>
                      {room.roomNo} {room.roomName}
                    </td>
                    <td data-align="right">
                      {room.seated} / {room.seats}
                    </td>
                    <td className="ticket-fill" aria-hidden="true">
                      <i style={{ width: `${room.seats === 0 ? 0 : Math.min(100, (100 * room.seated) / room.seats)}%` }} />
                    </td>
                  </tr>
                </Fragment>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  )
}

/** What an allocation would do, and the allocation itself (domain 5.2 `creTicketEnd`). */
export const TrialDialog = ({
  examId,
  itemIds,
  onClose,
  onDone,
}: {
  readonly examId: string
  readonly itemIds: readonly string[]
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(ticketTexts)
  const [force, setForce] = useState(false)
  const [mode, setMode] = useState<(typeof modes)[number]>('random')
  const body = { examId, itemIds: itemIds.join(','), mode }
  const trial = useQuery({
    queryKey: ['ticket-trial', examId, body.itemIds, mode],
    queryFn: ({ signal }) => api.call('POST /blade-exam/examination/creTicketEnd', { ...body, dryRun: 1 }, { signal }),
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const plan = trial.data
  const commit = async (): Promise<boolean> => {
    try {
      const { made } = await api.call('POST /blade-exam/examination/creTicketEnd', { ...body, ...(force ? { force: 1 as const } : {}) })
      notify('success', t('trial.done', { count: made }))
    } catch {
      return false // The api client has said why.
    }
    onDone()
    return true
  }
  const why =
    plan === undefined
      ? null
      : plan.shortage > 0
        ? t('trial.blocked.short', { count: plan.shortage })
        : plan.eligible === 0
          ? t('trial.blocked.nobody')
          : plan.pending > 0 && !force
            ? t('trial.blocked.pending', { count: plan.pending })
            : null
  return (
    <ActionDialog
      title={t('trial.title')}
      size="two"
      actions={[
        { label: t('trial.commit', { count: plan?.eligible ?? 0 }), disabled: plan === undefined || why !== null, why, run: commit },
      ]}
      onClose={onClose}
    >
      <p className="dialog-lead">{t('trial.note')}</p>
      <LabelledSelect
        label={t('trial.mode')}
        value={mode}
        options={modes.map(one => ({ value: one, label: t(`trial.mode.${one}`) }))}
        onChange={setMode}
      />
      <Loaded query={trial} skeletonRows={5}>
        {of => (
          <>
            {of.pending > 0 ? (
              <div className="ticket-alert">
                <p>{t('trial.pendingNote', { count: of.pending })}</p>
                <Check label={t('trial.force', { count: of.pending })} on={force} onChange={setForce} />
              </div>
            ) : null}
            <PlanView plan={of} />
          </>
        )}
      </Loaded>
    </ActionDialog>
  )
}
