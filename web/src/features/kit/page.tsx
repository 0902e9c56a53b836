import { type ComponentType, lazy, Suspense } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { PageSkeleton } from '#web/ui/states.tsx'
import { chosenOf, type Part, type PartProps, parts } from './parts.ts'
import { kitTexts } from './texts.ts'
import './kit.css'

const views: Readonly<Record<Part, ComponentType<PartProps>>> = {
  list: lazy(async () => ({ default: (await import('./lists.tsx')).ListPart })),
  table: lazy(async () => ({ default: (await import('./tables.tsx')).TablePart })),
  tree: lazy(async () => ({ default: (await import('./tables.tsx')).TreePart })),
  side: lazy(async () => ({ default: (await import('./lists.tsx')).SidePart })),
  stack: lazy(async () => ({ default: (await import('./lists.tsx')).StackPart })),
  form: lazy(async () => ({ default: (await import('./forms.tsx')).FormPart })),
  dialog: lazy(async () => ({ default: (await import('./forms.tsx')).DialogPart })),
  import: lazy(async () => ({ default: (await import('./transfer.tsx')).ImportPart })),
  export: lazy(async () => ({ default: (await import('./transfer.tsx')).ExportPart })),
  upload: lazy(async () => ({ default: (await import('./transfer.tsx')).UploadPart })),
  show: lazy(async () => ({ default: (await import('./show.tsx')).ShowPart })),
  chart: lazy(async () => ({ default: (await import('./show.tsx')).ChartPart })),
  state: lazy(async () => ({ default: (await import('./show.tsx')).StatePart })),
  cipher: lazy(async () => ({ default: (await import('./cipher.tsx')).CipherPart })),
}

const names = Object.keys(parts) as readonly Part[]

/**
 * Every part of the console's kit in every state (S2.09): for those who build screens, and the target of the tests of looks and
 * access. Part and state stand in the address.
 */
export const Page = () => {
  const t = useT(kitTexts)
  const { search, setSearch } = usePage()
  const { part, state } = chosenOf(search.get('kit.part'), search.get('kit.state'))
  const View = views[part]
  return (
    <div className="kit-page">
      <header className="kit-head">
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
        <nav aria-label={t('parts')}>
          <ul className="kit-choice">
            {names.map(name => (
              <li key={name}>
                <button
                  type="button"
                  className="kit-chip"
                  aria-current={name === part ? 'page' : undefined}
                  onClick={() => setSearch({ 'kit.part': name })}
                >
                  {t(`part.${name}`)}
                </button>
              </li>
            ))}
          </ul>
        </nav>
        {parts[part].length < 2 ? null : (
          <fieldset className="kit-choice">
            <legend>{t('states')}</legend>
            {parts[part].map(each => (
              <label key={each} className="kit-chip">
                <input
                  type="radio"
                  name="kit-state"
                  checked={each === state}
                  onChange={() => setSearch({ 'kit.part': part, 'kit.state': each })}
                />
                {t(`state.${each}`)}
              </label>
            ))}
          </fieldset>
        )}
      </header>
      <div data-view={`${part} ${state}`}>
        <Suspense fallback={<PageSkeleton />}>
          <View key={`${part} ${state}`} state={state} />
        </Suspense>
      </div>
    </div>
  )
}
