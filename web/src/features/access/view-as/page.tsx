import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { SearchRow } from '#web/resource/search-row.tsx'
import { useFind } from '#web/resource/use-find.ts'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { viewAsTexts } from './texts.ts'
import '../access.css'

const Report = lazy(async () => ({ default: (await import('./report.tsx')).Report }))

const name = 'view-as-people'

/** Choose somebody and see what they see (issue: view as). */
export const Page = () => {
  const t = useT(viewAsTexts)
  const [query, setQuery] = useState<Readonly<Record<string, string>>>({})
  const [chosen, setChosen] = useState<string | null>(null)
  const find = useFind(name, query, setQuery)
  const people = useQuery({
    queryKey: listKey(name, query),
    queryFn: ({ signal }) => api.call('GET /blade-system/role/view-as-people', query, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return (
    <div className="crud-page">
      <div className="page-head">
        <h1>{t('va.title')}</h1>
      </div>
      <p className="access-lead">{t('va.lead')}</p>
      <SearchRow fields={[{ kind: 'text', key: 'name', label: t('va.find') }]} values={query} onSearch={find} />
      <div className="va-page">
        <nav className="card va-people" aria-label={t('va.people')}>
          <Loaded query={people} skeletonRows={8}>
            {list =>
              list.length === 0 ? (
                <EmptyState text={t('va.none')} />
              ) : (
                <ul>
                  {list.map(person => (
                    <li key={person.id}>
                      <button type="button" aria-pressed={chosen === person.id} onClick={() => setChosen(person.id)}>
                        <span>
                          {person.realName} · {person.account}
                        </span>
                        <span className="va-role">{person.roleName}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
        </nav>
        {chosen === null ? (
          <div className="card">
            <EmptyState text={t('va.choose')} />
          </div>
        ) : (
          <Suspense>
            <Report key={chosen} userId={chosen} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
