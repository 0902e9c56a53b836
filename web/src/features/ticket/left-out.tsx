import { useT } from '#web/kernel/i18n/index.ts'
import { ticketTexts } from './texts.ts'

interface Props {
  readonly people: readonly {
    readonly signUpId: string
    readonly signNo: string
    readonly name: string
    readonly reason: string
    readonly hasSeat: boolean
  }[]
}

/** Who has passed and gets no seat, by name and reason. */
export const LeftOut = ({ people }: Props) => {
  const t = useT(ticketTexts)
  if (people.length === 0) return null
  return (
    <>
      <p>{t('leftOut.title', { count: people.length })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="plain-table" aria-label={t('leftOut.title', { count: people.length })} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {(['signNo', 'name', 'reason'] as const).map(key => (
                <th key={key} scope="col">
                  {t(`leftOut.${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {people.map(({ signUpId, signNo, name, reason, hasSeat }) => (
              <tr key={signUpId}>
                <td>{signNo}</td>
                <td>{name}</td>
                <td>{hasSeat ? t('leftOut.seated', { reason }) : reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
