import { lazy, Suspense, useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { formPlace } from './places.ts'
import { workTexts } from './texts.ts'
import '../flow.css'

const ImageDialog = lazy(async () => ({ default: (await import('./image-dialog.tsx')).ImageDialog }))
type Definition = ApiOutput<'GET /blade-flow/work/start-list'>['records'][number]
/** All at once: they are chosen with the eye. */
const most = 200

const byCategory = (definitions: readonly Definition[]): readonly (readonly [string, readonly Definition[]])[] =>
  [...Map.groupBy(definitions, each => each.categoryName)].sort(([a], [b]) => a.localeCompare(b, 'zh'))

/** Processes that can be started, as cards by category. */
export const Page = () => {
  const t = useT(workTexts)
  const can = useCan()
  const [typed, setTyped] = useState('')
  const [shown, setShown] = useState<Definition | null>(null)
  const list = useCall('GET /blade-flow/work/start-list', { size: most }, { quiet: true })
  const wanted = typed.trim().toLowerCase()
  return (
    <div className="flow-page">
      <div className="page-head">
        <h1>{t('start.title')}</h1>
      </div>
      <Loaded query={list}>
        {({ records }) => {
          if (records.length === 0) return <EmptyState text={t('start.empty')} />
          const found = records.filter(each => `${each.name} ${each.description} ${each.categoryName}`.toLowerCase().includes(wanted))
          return (
            <>
              {records.length > 6 ? <LabelledInput label={t('start.search')} value={typed} onChange={setTyped} maxLength={50} /> : null}
              <p className="visually-hidden" role="status">
                {wanted === '' ? '' : t('start.found', { count: found.length })}
              </p>
              {byCategory(found).map(([category, definitions]) => (
                <section key={category}>
                  <h2>{category === '' ? t('start.other') : category}</h2>
                  <ul className="flow-starts">
                    {definitions.map(each => (
                      <li key={each.id} className="card">
                        <h3>{each.name}</h3>
                        <p>{each.description}</p>
                        <div className="flow-bar">
                          {can('work_start_flow') ? (
                            <NavLink to={formPlace(each)} className="button button-primary button-small">
                              {t('start.run')}
                              <span className="visually-hidden"> {each.name}</span>
                            </NavLink>
                          ) : null}
                          {can('work_start_image') ? (
                            <button
                              type="button"
                              className="button button-small"
                              aria-label={`${t('start.image')} ${each.name}`}
                              onClick={() => setShown(each)}
                            >
                              {t('start.image')}
                            </button>
                          ) : null}
                          <small>{t('start.version', { version: each.version })}</small>
                        </div>
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </>
          )
        }}
      </Loaded>
      {shown === null ? null : (
        <Suspense>
          <ImageDialog processDefinitionId={shown.id} name={shown.name} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </div>
  )
}
