import { useId, useState } from 'react'
import type { ApiInput, ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { PeopleSelect } from '../people-select.tsx'
import { userTexts } from './texts.ts'

export type Ending = ApiInput<'GET /blade-system/user/holdings'>
type Person = ApiOutput<'GET /blade-system/user/holdings'>['people'][number]

const endsOf = (people: readonly Person[]): number =>
  people.reduce((sum, { work }) => sum + work.reduce((all, { ends }) => all + ends, 0), 0)

const PersonWork = ({ person, isAlone, isHanded }: { readonly person: Person; readonly isAlone: boolean; readonly isHanded: boolean }) => {
  const t = useT(userTexts)
  const work = person.work.filter(({ ends }) => ends > 0)
  if (work.length === 0) return null
  return (
    <section className="held-work">
      {isAlone ? null : <h3>{`${person.realName} ${person.account}`}</h3>}
      <ul>
        {work.map(({ kind, label, ends, handedOver, pool, names }) => (
          <li key={kind}>
            <strong>{t('user.work.line', { what: label, count: ends })}</strong>
            <span>{listOf(names)}</span>
            <small>
              {isHanded && handedOver > 0 ? t('user.work.handed', { count: handedOver }) : null}
              {isHanded && handedOver > 0 && handedOver < ends ? ' · ' : null}
              {handedOver < ends ? t('user.work.back', { count: ends - handedOver, where: pool }) : null}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What people hold that an act ends, and who is to take it over. */
export const HeldWork = ({
  of,
  handTo,
  onHandTo,
}: {
  readonly of: Ending
  readonly handTo: string
  readonly onHandTo: (userId: string) => void
}) => {
  const t = useT(userTexts)
  const id = useId()
  const held = useCall('GET /blade-system/user/holdings', { ...of, ...(handTo === '' ? {} : { handTo }) }, { keepPrevious: true })
  return (
    <Loaded query={held} skeletonRows={3}>
      {({ people }) =>
        endsOf(people) === 0 ? (
          <p className="held-none">{t('user.work.none')}</p>
        ) : (
          <>
            <p>{t('user.work.ends')}</p>
            {people.map(person => (
              <PersonWork key={person.userId} person={person} isAlone={people.length === 1} isHanded={handTo !== ''} />
            ))}
            <label htmlFor={id}>{t('user.work.handTo')}</label>
            <PeopleSelect
              id={id}
              value={handTo}
              onChange={next =>
                onHandTo(
                  String(next ?? '')
                    .split(',')
                    .at(-1) ?? '',
                )
              }
            />
            <p className="hint">{t('user.work.handTo.hint')}</p>
          </>
        )
      }
    </Loaded>
  )
}

/** Asks before an act that ends the work of somebody, and who takes it over. */
export const LeaveDialog = ({
  title,
  lead,
  of,
  send,
  onClose,
}: {
  readonly title: string
  readonly lead: string
  readonly of: Ending
  /** @returns whether it was done */
  readonly send: (handTo: string) => Promise<boolean>
  readonly onClose: () => void
}) => {
  const [handTo, setHandTo] = useState('')
  return (
    <ActionDialog title={title} actions={[{ label: title, tone: 'danger', run: () => send(handTo) }]} onClose={onClose}>
      <p className="confirm-text held-lead">{lead}</p>
      <HeldWork of={of} handTo={handTo} onHandTo={setHandTo} />
    </ActionDialog>
  )
}
