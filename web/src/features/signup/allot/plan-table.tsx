import { Fragment, useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { allotTexts } from './texts.ts'

type Plan = ApiOutput<'POST /blade-exam/examination/allotCheck'>
type Share = Plan['reviewers'][number]

/** Posts and people that one reviewer would get. */
const What = ({ share, unitNames }: { readonly share: Share; readonly unitNames: ReadonlyMap<string, string> }) => {
  const t = useT(allotTexts)
  const posts = share.posts.map(
    post => `${unitNames.get(post.unit) ?? post.unit} ${t('plan.item', { code: post.code, count: post.count })}`,
  )
  const people = share.people.map(person => [person.name, person.signNo].filter(Boolean).join(' '))
  return (
    <>
      <p>
        {t('plan.posts', { list: posts.join('、') })}
        {share.postCount > share.posts.length ? ` ${t('plan.posts.more', { count: share.postCount })}` : null}
      </p>
      <p>
        {t('plan.people', { list: people.join('、') })}
        {share.added > share.people.length ? ` ${t('plan.people.more', { count: share.added })}` : null}
      </p>
    </>
  )
}

/** What a trial would do: how much each reviewer gets, of what, and what nobody can have. */
export const PlanTable = ({ plan, unitNames }: { readonly plan: Plan; readonly unitNames: ReadonlyMap<string, string> }) => {
  const t = useT(allotTexts)
  const [shown, setShown] = useState<string | null>(null)
  const reasons = new Map<string, number>()
  for (const { reason } of plan.unplaced) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  return (
    <>
      <p role="status">
        <strong>{t('plan.title')}</strong> · {t('plan.text', { placed: plan.placed, unplaced: plan.unplacedCount })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="plain-table" aria-label={t('plan.title')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('name')}</th>
              {(['plan.added', 'plan.after', 'plan.recused'] as const).map(key => (
                <th key={key} scope="col" data-align="right">
                  {t(key)}
                </th>
              ))}
              <th scope="col">{t('plan.share')}</th>
            </tr>
          </thead>
          <tbody>
            {plan.reviewers.map(row => (
              <Fragment key={row.userId}>
                <tr>
                  <th scope="row">{row.name}</th>
                  <td data-align="right">{row.added}</td>
                  <td data-align="right">{row.waiting}</td>
                  <td data-align="right">{row.recused}</td>
                  <td>
                    {row.added === 0 ? (
                      '-'
                    ) : (
                      <button
                        type="button"
                        className="link-button"
                        aria-expanded={shown === row.userId}
                        aria-label={t('plan.share.show', { name: row.name })}
                        onClick={() => setShown(shown === row.userId ? null : row.userId)}
                      >
                        {t('plan.share')}
                      </button>
                    )}
                  </td>
                </tr>
                {shown === row.userId ? (
                  <tr>
                    <td colSpan={5} className="allot-share">
                      <What share={row} unitNames={unitNames} />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
      <p className="allot-hint">{t('plan.recused.hint')}</p>
      {reasons.size === 0 ? null : (
        <ul>
          {[...reasons].map(([reason, count]) => (
            <li key={reason}>
              {reason}：{count}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
